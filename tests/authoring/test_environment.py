"""What `make` does first: notice a change, refuse an unsupported Python with a sentence, keep GPU builds off a CPU."""

import pytest

from labutils.authoring import environment, pins


def test_the_fingerprint_changes_with_each_file_that_describes_the_environment(tmp_path):
    for name in environment.DESCRIBED_BY:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a")
    seen = {environment.fingerprint(tmp_path)}
    for name in environment.DESCRIBED_BY:
        (tmp_path / name).write_text("b")
        seen.add(environment.fingerprint(tmp_path))
    assert len(seen) == 1 + len(environment.DESCRIBED_BY)
    assert environment.fingerprint(tmp_path) in seen


@pytest.mark.parametrize(
    ("version", "fits"),
    [((3, 10, 9), False), ((3, 11, 0), True), ((3, 14, 2), True), ((3, 15, 0), False), ((4, 0), False)],
)
def test_supported_pythons(version, fits):
    assert (environment.unsupported(version) == "") == fits
    assert fits or "3.11 to 3.14" in environment.unsupported(version)


@pytest.mark.parametrize(
    ("platform", "gpu", "answers", "cpu_index"),
    [
        ("linux", None, True, True),
        ("linux", None, False, False),
        ("linux", "/usr/bin/nvidia-smi", True, False),
        ("darwin", None, True, False),
    ],
)
def test_where_torch_comes_from(monkeypatch, platform, gpu, answers, cpu_index):
    monkeypatch.setattr(environment.sys, "platform", platform)
    monkeypatch.setattr(environment.shutil, "which", lambda name: gpu)
    monkeypatch.setattr(environment, "cpu_wheels_answer", lambda: answers)
    assert (environment.CPU_WHEELS in environment.torch_index()) == cpu_index


def test_an_index_that_cannot_be_reached_is_noticed(monkeypatch):
    monkeypatch.setattr(environment, "CPU_WHEELS", "http://127.0.0.1:9/none")
    assert environment.cpu_wheels_answer(0.5) is False


def test_pins_are_exact():
    for name in ("requirements.txt", "constraints.txt"):
        for line in (environment.ROOT / name).read_text().splitlines():
            assert not line or line.startswith(("#", "-c ")) or line.count("==") == 1, line


REQUIREMENTS = "# models\ntorch==2.9.0\nPyYAML==5.0\n\n# the site\njupyter-book==1.0.3  # old\n"
FOUND = "idna==3.20\njupyter-book==1.0.4\nnvidia-nccl==2.1 ; sys_platform == 'linux'\npyyaml==6.0.3\ntorch==2.13.0\n"


def test_pins_are_raised_in_their_places():
    assert pins.asked(REQUIREMENTS) == "torch\nPyYAML\njupyter-book<2\n"
    requirements, constraints = pins.raised(REQUIREMENTS, FOUND)
    assert requirements == "# models\ntorch==2.13.0\nPyYAML==6.0.3\n\n# the site\njupyter-book==1.0.4  # old\n"
    assert constraints == pins.HEAD + "idna==3.20\n"
    with pytest.raises(ValueError, match="no one version for all systems of: idna"):
        pins.raised(REQUIREMENTS, FOUND + "idna==3.1 ; sys_platform == 'win32'\n")


def test_the_two_files_of_pins_name_each_package_once():
    texts = [(environment.ROOT / name).read_text() for name in ("requirements.txt", "constraints.txt")]
    own, brought = ([pins.plain(name) for name, _ in pins.PIN.findall(text)] for text in texts)
    assert len(own) == len(set(own)) and len(brought) == len(set(brought)) and not set(own) & set(brought)
