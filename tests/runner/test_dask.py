"""Tools on the worker processes of a dask cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster

import shop_floor
from conversations import Done, drive, every_mode
from fnschema import Agent, Runner
from fnschema.testing import ScriptedModel, ToolCall


@pytest.fixture(scope="module")
def cluster() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as workers,
        Client(workers) as client,
    ):
        yield client


def play(mode: str, cluster: Client, functions: list[Any], calls: Any) -> Done:
    model = ScriptedModel(calls, "Done.", is_async=mode.startswith("arun"))
    return drive(mode, Runner(model, executor=cluster.get_executor(pure=False)), Agent("Desk", functions=functions))


@every_mode
def test_tools_run_in_the_worker_processes(mode: str, cluster: Client) -> None:
    workers = {worker["pid"] for worker in cluster.run(lambda: {"pid": os.getpid()}).values()}

    done = play(mode, cluster, [shop_floor.process_id], [ToolCall("process_id")] * 4)

    assert {int(text) for text in done.texts} <= workers
    assert os.getpid() not in workers
    assert len(workers) == 2


@every_mode
def test_two_equal_calls_are_two_calls(mode: str, cluster: Client) -> None:
    done = play(mode, cluster, [shop_floor.ticket], [ToolCall("ticket")] * 2)

    assert len(set(done.texts)) == 2


@every_mode
def test_a_handoff_a_context_update_and_a_failure(mode: str, cluster: Client) -> None:
    functions = [shop_floor.to_repairs, shop_floor.change, shop_floor.fail]

    done = play(mode, cluster, functions, [ToolCall("to_repairs"), ToolCall("change"), ToolCall("fail")])

    assert done.texts == ["Over to you.", "changed", "The tool fail failed."]
    assert done.response.agent is shop_floor.repairs
    assert done.response.context_variables == {"by result": True}
    assert type(done.response.errors["call_3"]) is ValueError


@every_mode
def test_a_function_that_cannot_be_imported_by_name_travels_too(mode: str, cluster: Client) -> None:
    def nested(number: int) -> int:
        """Double."""
        return 2 * number

    done = play(mode, cluster, [nested], ToolCall("nested", {"number": 4}))

    assert done.texts == ["8"]
