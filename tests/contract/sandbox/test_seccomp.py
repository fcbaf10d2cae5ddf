"""The system call filter says what it should on both architectures, by an interpreter of its own (T5)."""

from __future__ import annotations

import struct

import pytest

from autopilot.adapters.sandbox.seccomp import assemble_computing, assemble_filter

# covers: T5.privileges

# covers: T5
X86, ARM = ("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)
ALLOWED, REFUSED, MISSING = 0x7FFF0000, 0x00050001, 0x00050026


def judge(
    machine: str, audit: int, number: int, second: int = 0, allow_mounts: bool = False, first: int = 1, third: int = 0
) -> int:
    return run(assemble_filter(allow_mounts, machine), audit, number, first, second, third)


def run(program: bytes | None, audit: int, number: int, first: int = 0, second: int = 0, third: int = 0) -> int:
    """The program as the kernel would run it."""
    assert program is not None
    data = struct.pack("=IIQ", number, audit, 0) + struct.pack("=6Q", first, second, third, 0, 0, 0)
    at = accumulator = 0
    lines = list(struct.iter_unpack("=HBBI", program))
    while True:
        op, yes, no, k = lines[at]
        at += 1
        if op == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, k)
        elif op == 0x15:
            at += yes if accumulator == k else no
        elif op == 0x35:
            at += yes if accumulator >= k else no
        elif op == 0x45:
            at += yes if accumulator & k else no
        else:
            assert op == 0x06
            return k


@pytest.mark.parametrize(
    ("machine", "number"),
    [(X86, 250), (X86, 165), (X86, 425), (X86, 321), (ARM, 219), (ARM, 40), (ARM, 425), (ARM, 280)],
)
def test_dangerous_calls_are_refused(machine, number) -> None:
    assert judge(*machine, number) == REFUSED


@pytest.mark.parametrize(("machine", "numbers"), [(X86, [0, 1, 41, 56, 59, 101, 257]), (ARM, [63, 64, 117, 220, 221])])
def test_ordinary_calls_and_debuggers_are_allowed(machine, numbers) -> None:
    assert {judge(*machine, number) for number in numbers} == {ALLOWED}


@pytest.mark.parametrize(("machine", "mount", "keyctl"), [(X86, 165, 250), (ARM, 40, 219)])
def test_an_agent_may_mount_in_its_own_sandbox_and_nothing_more(machine, mount, keyctl) -> None:
    assert judge(*machine, mount, allow_mounts=True) == ALLOWED
    assert judge(*machine, keyctl, allow_mounts=True) == REFUSED


@pytest.mark.parametrize(("machine", "ioctl"), [(X86, 16), (ARM, 29)])
def test_words_cannot_be_put_into_a_terminals_mouth(machine, ioctl) -> None:
    assert judge(*machine, ioctl, second=0x5412) == REFUSED
    assert judge(*machine, ioctl, second=0xFFFFFFFF_00005412) == REFUSED  # the kernel looks at the low half only
    assert judge(*machine, ioctl, second=0x5413) == ALLOWED


@pytest.mark.parametrize(("machine", "unshare", "clone"), [(X86, 272, 56), (ARM, 97, 220)])
@pytest.mark.parametrize("allow_mounts", [False, True])
def test_no_namespace_of_control_groups_is_made(machine, unshare, clone, allow_mounts) -> None:
    for number in (unshare, clone):
        assert judge(*machine, number, first=0x02000000 | 0x10000000, allow_mounts=allow_mounts) == REFUSED
        assert judge(*machine, number, first=0x10000000, allow_mounts=allow_mounts) == ALLOWED
    assert judge(*machine, 435, allow_mounts=allow_mounts) == MISSING  # clone3: its flags cannot be seen


@pytest.mark.parametrize(("machine", "call"), [(X86, 41), (ARM, 198)])
def test_only_ordinary_sockets_are_opened(machine, call) -> None:
    assert {judge(*machine, call, first=family) for family in (1, 2, 10, 16)} == {ALLOWED}
    assert {judge(*machine, call, first=family) for family in (0, 3, 17, 31, 38, 40, 44, 1 << 31)} == {REFUSED}


@pytest.mark.parametrize(("machine", "call"), [(X86, 54), (ARM, 208)])
def test_no_socket_lingers_and_its_program_does_not_notice(machine, call) -> None:
    """Sent to us over a socket we read, it would block whoever closes it."""
    assert judge(*machine, call, second=1, third=13) == 0x00050000  # answered with 0, and nothing done
    assert judge(*machine, call, second=1, third=9) == ALLOWED
    assert judge(*machine, call, second=6, third=13) == ALLOWED


def test_another_architectures_numbering_is_no_way_around() -> None:
    assert judge("x86_64", 0x40000003, 0) == REFUSED  # i386 on a 64-bit kernel
    assert judge(*X86, 0x40000000 + 1) == REFUSED  # x32


def test_a_machine_we_have_no_table_for_gets_no_filter() -> None:
    assert assemble_filter(False, "riscv64") is None


@pytest.mark.parametrize(("machine", "ptrace"), [(X86, 101), (ARM, 117)])
def test_the_first_process_is_traced_by_nobody_and_any_other_may_be(machine, ptrace) -> None:
    attach, seize, go_on = 16, 0x4206, 7
    assert {judge(*machine, ptrace, 1, first=how) for how in (attach, seize)} == {REFUSED}
    assert {judge(*machine, ptrace, 2, first=how) for how in (attach, seize)} == {ALLOWED}
    assert judge(*machine, ptrace, 1 << 32 | 1, first=attach) == REFUSED, "the kernel reads the low half"
    assert judge(*machine, ptrace, 0, first=0) == judge(*machine, ptrace, 1, first=go_on) == ALLOWED


@pytest.mark.parametrize(
    ("machine", "computing", "others"),
    [
        (X86, [0, 1, 9, 12, 231], [2, 41, 42, 56, 57, 59, 62, 101, 234, 257, 435]),
        (ARM, [63, 64, 222, 214, 94], [56, 198, 203, 220, 221, 129, 117, 131, 435]),
    ],
)
def test_a_process_that_only_computes_opens_connects_starts_and_signals_nothing(machine, computing, others) -> None:
    name, audit = machine
    assert {run(assemble_computing(name), audit, number) for number in computing} == {ALLOWED}
    assert {run(assemble_computing(name), audit, number) for number in others} == {REFUSED}
    assert run(assemble_computing(name), 0x40000003, computing[0]) == REFUSED, "another numbering"
    assert assemble_computing("riscv64") is None
