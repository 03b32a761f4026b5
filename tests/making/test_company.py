"""The stored counts are those that the code finds, and they say what chapter 3 says."""

from labutils.making import company


def test_counting_again_finds_what_is_stored():
    assert company.measured(most=3000) == company.stored()[:5]


def test_what_chapter_3_says():
    trained, *counted = company.stored()
    whole = {line["stories"]: line for line in counted if line["numbers"] == 2000}
    cut = {line["stories"]: line for line in counted if line["numbers"] == company.NUMBERS}
    assert (trained["word"], trained["class"], trained["sides"]) == (28, 48, 47) and whole[3000]["sides"] == 46
    assert whole[20_000]["word"] == 47 and whole[20_000]["class"] == whole[20_000]["sides"] == 48
    assert cut[20_000]["word"] == 46 > trained["word"] and cut[20_000]["class"] == 48
    assert round(trained["tokens"] / whole[20_000]["tokens"]) == 34 and whole[600]["word"] < trained["word"]
