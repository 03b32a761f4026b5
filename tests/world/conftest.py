import pytest

from labutils.world import World


@pytest.fixture(scope="session")
def world():
    return World()


@pytest.fixture(scope="session")
def stories(world):
    """Stories, annotated once for all tests."""
    return world.stories(1500, seed=12)
