"""What is remarked on the machines of a cluster is told where the batch was started."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from lsum_cli.batch import cluster
from lsum_cli.batch.cluster import ShardActor, ShardResult, _ClusterRun, _ShardTask
from lsum_cli.batch.folder import BatchFolder
from lsum_cli.batch.options import BatchOptions
from lsum_cli.batch.run import BatchPlan, plan_batch
from lsum_cli.batch.workers import Outcome
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent
from lsum_cli.reading.registry import ReadOptions

REMARKS = ("a.txt: pages 1 to 3 by OCR", "--batch-tokens has no effect", "--batch-tokens has no effect")


class Workers:
    """Remark something of every task, and do none."""

    def __enter__(self) -> Workers:
        return self

    def completed(self, tasks: Any, progress: Any) -> Any:
        for task, remark in zip(tasks, REMARKS, strict=True):
            progress(ProgressEvent(stage="reading", done=1, remark=remark))
            progress(ProgressEvent(stage="reading", done=2))
            yield Outcome(id=task.id, source=task.name, error=SourceError("it is empty"))


@pytest.fixture
def plan(tmp_path: Path) -> BatchPlan:
    (tmp_path / "texts").mkdir()
    for name in "abc":
        (tmp_path / "texts" / f"{name}.txt").write_text("Mud settles slowly.")
    return plan_batch(
        [str(tmp_path / "texts")],
        BatchOptions(output=str(tmp_path / "rows")),
        SummaryOptions(method="extract"),
        ReadOptions(),
        DatasetOptions(),
    )


def test_an_actor_brings_remarks_back_and_the_run_tells_each_once(plan, monkeypatch):
    (shard,) = plan.input.shards(10)
    with BatchFolder.open(plan.storage, plan.fingerprint, overwrite=False) as folder:
        actor = ShardActor(plan, folder.store, cores=1, has_gpu=False, home=cluster._Home.here(plan))
        monkeypatch.setattr(BatchPlan, "make_workers", lambda *_, **__: Workers())
        (done,) = actor({"task": [pickle.dumps(_ShardTask(shard=shard, done=None))]})["result"]
        result: ShardResult = pickle.loads(done)
        assert result.remarks == tuple(dict.fromkeys(REMARKS))
        told: list[str] = []
        run = _ClusterRun(plan, folder, None, lambda event: told.append(event.remark), lambda *_: None)
        monkeypatch.setattr(cluster, "_plan_actors", lambda *_: cluster._Actors(number=2, cpus=1, gpus=0))
        monkeypatch.setattr(_ClusterRun, "_results", lambda *_: iter([result, result]))
        run.run()
    assert [remark for remark in told if remark] == list(dict.fromkeys(REMARKS))
