"""The marks of transformers' test suites, which our settings do not know."""

from __future__ import annotations

import pytest

MARKS = (
    *("accelerate_tests", "generate", "timeout", "torch_compile_test", "torch_export_test"),
    *("executorch_export_test", "onnx_export_test"),
    *("flash_attn_test", "flash_attn_3_test", "flash_attn_4_test", "all_flash_attn_test"),
    *("is_training_test", "is_tensor_parallel_test", "is_expert_parallel_test", "is_fsdp_test"),
)


def pytest_configure(config: pytest.Config) -> None:
    for name in MARKS:
        config.addinivalue_line("markers", f"{name}: of transformers' suites")
