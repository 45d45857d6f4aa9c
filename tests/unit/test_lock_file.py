"""requirements.lock: what is tested is what is locked, and every file of it has a hash."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def sbom() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("lsum_sbom", str(ROOT / "scripts" / "sbom"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lsum_sbom", loader))
    sys.modules["lsum_sbom"] = module
    loader.exec_module(module)
    return module


def pins(path: Path) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", path.read_text("utf-8"), re.M)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def test_the_lock_file_has_the_versions_of_the_constraints(sbom: ModuleType) -> None:
    locked, constrained = pins(ROOT / "requirements.lock"), pins(ROOT / "constraints.txt")
    both = locked.keys() & constrained.keys()
    assert len(both) > 40
    assert {name: locked[name] for name in both} == {name: constrained[name] for name in both}
    assert len(sbom.read_lock()) == len(locked)


def test_every_dependency_is_locked_with_hashes(sbom: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {sbom.normal(re.split(r"[\[><=; ]", each)[0]) for each in project["dependencies"]}
    packages = sbom.read_lock()
    assert named <= {sbom.normal(each.name) for each in packages}
    assert all(each.hashes for each in packages)


def test_the_constraints_have_no_hashes() -> None:
    """pip install -c refuses a file in which some lines have a hash and others have none."""
    assert "--hash" not in (ROOT / "constraints.txt").read_text("utf-8")


def test_the_page_of_licences_names_every_package(sbom: ModuleType) -> None:
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    for each in sbom.read_lock():
        assert f"| [{each.name}]({each.home}) | {each.version} |" in page


def test_no_licence_asks_for_the_source_of_what_uses_it(sbom: ModuleType) -> None:
    for each in sbom.read_lock():
        alternatives = each.licence.split(" OR ")
        assert any("GPL" not in alternative for alternative in alternatives), each


def test_the_bill_of_materials_is_whole(sbom: ModuleType) -> None:
    made = subprocess.run([sys.executable, ROOT / "scripts" / "sbom"], capture_output=True, check=True)
    bill = json.loads(made.stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    references = {each["bom-ref"] for each in bill["components"]}
    assert len(references) == len(bill["components"]) == len(sbom.read_lock())
    assert set(bill["dependencies"][0]["dependsOn"]) <= references
    assert len(bill["dependencies"][0]["dependsOn"]) > 20
