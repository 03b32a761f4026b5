"""What readers of chapter 3 get wrong: (exercise, mistake, words of the check's answer, code)."""

ANGLES = """
def halves(places, d, base):
    powers = 2 * torch.arange(d // 2, dtype=torch.float64) / d
    angles = places[:, None] / base ** powers
"""
AWAY = """
def norm_middle(x, gain, bias, eps):
    away = x - x.mean(1, keepdim=True)
    variance = away.square().mean(1, keepdim=True)
"""
SORTED = """
def bucket(distances, buckets, farthest):
    half, exact = buckets // 2, buckets // 4
    far = distances.abs()
"""
SHARED = """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).floor().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
"""  # what is right after SORTED
FEATURES = """
def name_it(similarity):
    n = len(similarity)
    drift = max(float(similarity.diagonal(k).std()) for k in range(1, n // 2))
    off = similarity[~torch.eye(n, dtype=torch.bool)]
    size = float(off.square().mean().sqrt())
    beside = float(similarity.diagonal(1).min())
    few = len((100 * similarity).round().unique()) <= 8
"""


def at(seed: int) -> str:
    """Lets the check draw what it draws with this seed."""
    return f"import labutils.exercises.checking as checking\n\nchecking.new_seed = lambda: {seed}\n"


WRONG = [
    (
        "03-halves",
        "alternating, as in the chapter",
        "Sines and cosines alternate, as in the chapter",
        ANGLES + "    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)\n",
    ),
    (
        "03-halves",
        "cosines first",
        "The cosines stand in front of the sines",
        ANGLES + "    return torch.cat([angles.cos(), angles.sin()], -1)\n",
    ),
    (
        "03-halves",
        "i/d for 2i/d",
        "The power is i/d where 2i/d is asked for",
        ANGLES.replace("2 * torch", "torch") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "counts columns",
        "Each power is twice what it should be",
        ANGLES.replace("2 * torch", "4 * torch") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "the last power is 1",
        "The last power became 1",
        ANGLES.replace("/ d\n", "/ max(d - 2, 1)\n") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "counts places from 1",
        "The places were counted from 1",
        ANGLES.replace("places[:, None]", "(places[:, None] + 1)")
        + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "ignores the places",
        "The places that were given were not used",
        ANGLES.replace("places[:, None]", "torch.arange(len(places))[:, None]")
        + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "ignores the base",
        "The base is 10,000 here, whatever was given",
        ANGLES.replace("base **", "10000 **") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "multiplies",
        "multiplied by the powers, not divided",
        ANGLES.replace("/ base **", "* base **") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "borrows the package's",
        "`labutils.layers.positions.* ran in your function",
        """
from labutils.layers import rotation, sinusoids

def halves(places, d, base):
    rows = torch.stack([sinusoids(1, d, base, torch.float64)[0] @ rotation(float(p), d, base) for p in places])
    return torch.cat([rows[:, ::2], rows[:, 1::2]], -1)
""",
    ),
    (
        "03-middle",
        "n - 1",
        "The variance was divided by d − 1",
        """
def norm_middle(x, gain, bias, eps):
    away = x - x.mean(1, keepdim=True)
    return gain[:, None] * away / (x.var(1, keepdim=True) + eps).sqrt() + bias[:, None]
""",
    ),
    (
        "03-middle",
        "sigma + eps",
        "Small numbers, where ε decides\n.*ε was added to σ. It belongs under the root",
        AWAY + "    return gain[:, None] * away / (variance.sqrt() + eps) + bias[:, None]\n",
    ),
    (
        "03-middle",
        "no eps",
        "ε was left out",
        AWAY + "    return gain[:, None] * away / variance.sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "no root",
        "The variance stands below the line without its root",
        AWAY + "    return gain[:, None] * away / (variance + eps) + bias[:, None]\n",
    ),
    (
        "03-middle",
        "over the batch",
        "taken over the batch, so each text hears the others",
        AWAY.replace("(1, ", "(0, ") + "    return gain[:, None] * away / (variance + eps).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "over the last axis, as in the chapter",
        "along the last axis, which is that of the tokens",
        AWAY.replace("(1, ", "(-1, ") + "    return gain[:, None] * away / (variance + eps).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "over the whole text",
        "over all tokens of a text together",
        AWAY.replace("(1, ", "((1, 2), ")
        + "    return gain[:, None] * away / (variance + eps).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "keeps the mean",
        "The mean was not taken away",
        AWAY + "    return gain[:, None] * x / (variance + eps).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "no gain, no bias",
        "Gain and bias are missing",
        AWAY + "    return away / (variance + eps).sqrt()\n",
    ),
    (
        "03-middle",
        "gain along the tokens",
        "Gain and bias met the tokens, not the features",
        AWAY + "    return gain * away / (variance + eps).sqrt() + bias\n",
    ),
    (
        "03-middle",
        "multiplies the bias too",
        "The bias is multiplied by the gain as well",
        AWAY + "    return gain[:, None] * (away / (variance + eps).sqrt() + bias[:, None])\n",
    ),
    (
        "03-middle",
        "lets PyTorch do it",
        "layer_norm` ran in your function",
        """
def norm_middle(x, gain, bias, eps):
    return torch.nn.LayerNorm(x.shape[1], eps, elementwise_affine=False)(x.mT).mT * gain[:, None] + bias[:, None]
""",
    ),
    (
        "03-bucket",
        "sign lost",
        "The sign is lost",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).floor().long()
    return torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "sides exchanged",
        "The sides are exchanged|The distance is key minus query",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).floor().long()
    return (distances < 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "one exact distance too many",
        "One distance too many has a bucket of its own",
        SORTED.replace("buckets // 4", "buckets // 4 + 1") + SHARED,
    ),
    (
        "03-bucket",
        "log base",
        "The logarithm was not divided by that of farthest / exact",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) * (half - exact)).floor().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "rounded to the nearest",
        "rounded to the nearest; here it is rounded down",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).round().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "far ranges of one width",
        "The far ranges are all equally wide",
        SORTED
        + """
    shared = exact + ((far - exact) / (farthest - exact) * (half - exact)).floor().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "no last bucket",
        "Beyond farthest the numbers go on growing",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).floor().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared)
""",
    ),
    (
        "03-bucket",
        "borrows HuggingFace's",
        "ran in your function, and the card does without it",
        """
from transformers.models.t5.modeling_t5 import T5Attention

def bucket(distances, buckets, farthest):
    return T5Attention._relative_position_bucket(distances, True, buckets, farthest)
""",
    ),
    (
        "03-collect",
        "assignment keeps the last",
        r"only its last gradient was kept: `table\[ids\] = …` overwrites",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype)
    for i, row in zip(ids.flatten(), grad.flatten(0, 1)):
        table[i] = row
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "mean",
        "this is the mean of its gradients. They add up",
        """
def collect(ids, grad, V, padding):
    hot = torch.nn.functional.one_hot(ids.flatten(), V).to(grad.dtype)
    table = hot.T @ grad.flatten(0, 1) / hot.sum(0).clamp(min=1)[:, None]
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "padding too",
        "Padding was collected as well",
        """
def collect(ids, grad, V, padding):
    return torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
""",
    ),
    (
        "03-collect",
        "if padding, so 0 is collected",
        "Here its id is 0, which `if padding` takes for no padding",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
    if padding:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "one text",
        "Only the first text was collected",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids[0], grad[0])
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "None taken for 0",
        "Id 0 was left out, but there is no padding here",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
    table[padding or 0] = 0
    return table
""",
    ),
    (
        "03-collect",
        "sign",
        "The sign is turned round",
        """
def collect(ids, grad, V, padding):
    table = -torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "autograd",
        "`torch.autograd.* ran in your function",
        """
def collect(ids, grad, V, padding):
    with torch.enable_grad():
        table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype, requires_grad=True)
        (found,) = torch.autograd.grad(table[ids], table, grad)
    if padding is not None:
        found[padding] = 0
    return found
""",
    ),
    (
        "03-segments",
        "untouched",
        r"The \[SEP\] between the texts was counted to the second",
        """
def segments(ids):
    return (ids == 2).long().cumsum(-1).clamp(max=1)
""",
    ),
    (
        "03-segments",
        "counts on",
        "this counts every",
        """
def segments(ids):
    return (ids == 2).long().cumsum(-1)
""",
    ),
    (
        "03-segments",
        "padding is of the second",
        "Padding is of no text, and BERT gives it segment 0",
        """
def segments(ids):
    return ((ids == 2).long().cumsum(-1) - (ids == 2).long()).clamp(max=1)
""",
    ),
    (
        "03-segments",
        "only the padding mended",
        r"The \[SEP\] between the texts was counted to the second. It ends the first",
        """
def segments(ids):
    return (ids == 2).long().cumsum(-1).clamp(max=1) * (ids != 0)
""",
    ),
    (
        "03-segments",
        "without the last separator",
        r"The last \[SEP\] belongs to the second text",
        """
def segments(ids):
    return ((ids == 2).long().cumsum(-1).clamp(max=1) - (ids == 2).long()).clamp(min=0) * (ids != 0)
""",
    ),
    (
        "03-middle",
        "an eps of its own",
        "Small numbers, where ε decides\\n.*ε is 1e-5 here, whatever was given",
        AWAY + "    return gain[:, None] * away / (variance + 1e-5).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "eps squared",
        "Small numbers, where ε decides\\n.*ε was squared",
        AWAY + "    return gain[:, None] * away / (variance + eps**2).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "RMSNorm",
        "The mean was left in, as RMSNorm does",
        """
def norm_middle(x, gain, bias, eps):
    return gain[:, None] * x / (x.square().mean(1, keepdim=True) + eps).sqrt() + bias[:, None]
""",
    ),
    (
        "03-middle",
        "BatchNorm's axes",
        "one for each feature, as BatchNorm does",
        AWAY.replace("(1, ", "((0, 2), ")
        + "    return gain[:, None] * away / (variance + eps).sqrt() + bias[:, None]\n",
    ),
    (
        "03-middle",
        "no bias",
        "The bias is missing",
        AWAY + "    return gain[:, None] * away / (variance + eps).sqrt()\n",
    ),
    (
        "03-bucket",
        "as many ranges as exact distances",
        "half − exact ranges, here .*, and these are exact many",
        SORTED
        + """
    ratio = torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (exact)).floor().long()
    return ((distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1)))
""",
    ),
    (
        "03-bucket",
        "half many ranges",
        "half − exact ranges, and these are half many|The logarithm was not divided",
        SORTED
        + """
    ratio = torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (half)).floor().long()
    return ((distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1)))
""",
    ),
    (
        "03-bucket",
        "128 whatever farthest is",
        "farthest is 128 here, whatever was given",
        SORTED
        + """
    ratio = torch.log(far.clamp(min=1) / exact) / math.log(128 / exact)
    shared = exact + (ratio * (half - exact)).floor().long()
    return ((distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1)))
""",
    ),
    (
        "03-bucket",
        "0 is after",
        "0 is not after the query",
        SORTED
        + """
    ratio = torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (half - exact)).floor().long()
    return ((distances >= 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1)))
""",
    ),
    (
        "03-bucket",
        "numbers with a decimal point",
        "should return whole numbers",
        SORTED
        + """
    ratio = torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (half - exact)).floor().long()
    return ((distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))).float()
""",
    ),
    (
        "03-collect",
        "mean over the texts",
        "the mean over the texts",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
    if padding is not None:
        table[padding] = 0
    return table / len(ids)
""",
    ),
    (
        "03-segments",
        "truth values",
        "They pick the rows of the input\\n.*segments returned a tensor of torch.bool",
        """
def segments(ids):
    sep = (ids == 2).long()
    return (sep.cumsum(-1) - sep > 0) & (ids != 0)
""",
    ),
    (
        "03-segments",
        "numbers with a decimal point",
        "segments returned a tensor of torch.float32",
        """
def segments(ids):
    sep = (ids == 2).long()
    return (sep.cumsum(-1) - sep).float().clamp(max=1) * (ids != 0)
""",
    ),
    (
        "03-segments",
        "lists",
        "looks them up in a table. That takes a tensor",
        """
def segments(ids):
    sep = (ids == 2).long()
    return ((sep.cumsum(-1) - sep).clamp(max=1) * (ids != 0)).tolist()
""",
    ),
    (
        "03-segments",
        "where one [SEP] was counted",
        "Here the first is in segment 1, the last in 0",
        """
def segments(ids):
    sep = (ids == 2).long()
    return (sep.cumsum(-1) == 1).long()
""",
    ),
    (
        "03-segments",
        "rolls the count",
        "The last count came round to place 0",
        """
def segments(ids):
    sep = (ids == 2).long()
    return sep.cumsum(-1).roll(1, -1).clamp(max=1) * (ids != 0)
""",
    ),
    (
        "03-halves",
        "ignores the base, where the only other base met d = 2 or place 0",
        "The base is 10,000 here, whatever was given",
        at(195) + ANGLES.replace("base **", "10000 **") + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-halves",
        "place / base to the power",
        "Only the base is raised to the power 2i/d; here place / base was",
        at(1)
        + """
def halves(places, d, base):
    angles = (places[:, None] / base) ** (2 * torch.arange(d // 2) / d)
    return torch.cat([angles.sin(), angles.cos()], -1)
""",
    ),
    (
        "03-halves",
        "multiplies, in float32",
        "multiplied by the powers, not divided",
        at(1)
        + """
def halves(places, d, base):
    angles = places[:, None] * base ** (2 * torch.arange(d // 2) / d)
    return torch.cat([angles.sin(), angles.cos()], -1)
""",
    ),
    (
        "03-middle",
        "does not turn back",
        r"The result is \(B, n, d\): its last two axes are exchanged",
        at(6)
        + """
def norm_middle(x, gain, bias, eps):
    rows = x.mT
    away = rows - rows.mean(-1, keepdim=True)
    return gain * away / (away.square().mean(-1, keepdim=True) + eps).sqrt() + bias
""",
    ),
    (
        "03-bucket",
        "distance 1 in the first bucket after the query",
        "After the query the distance 1 took the first bucket of its side",
        SORTED
        + """
    far = torch.where(distances > 0, far - 1, far)
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).floor().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-bucket",
        "rounded up",
        "rounded up; here it is rounded down",
        SORTED
        + """
    shared = exact + (torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact) * (half - exact)).ceil().long()
    return (distances > 0) * half + torch.where(far < exact, far, shared.clamp(max=half - 1))
""",
    ),
    (
        "03-collect",
        "V ignored, where all draws use the last id",
        "collect returned the shape",
        at(3)
        + """
def collect(ids, grad, V, padding):
    V = int(ids.max()) + 1
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype).index_add_(0, ids.flatten(), grad.flatten(0, 1))
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-collect",
        "adds in place by index",
        r"only its last gradient was kept: .* overwrites, and so does `\+=`",
        """
def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype)
    table[ids] += grad
    if padding is not None:
        table[padding] = 0
    return table
""",
    ),
    (
        "03-segments",
        "whole numbers of too few bits",
        "a tensor of int64, which `.long..` makes, or of int32, and segments returned a tensor of torch.int16",
        """
def segments(ids):
    sep = (ids == 2).long()
    return ((sep.cumsum(-1) - sep).clamp(max=1) * (ids != 0)).to(torch.int16)
""",
    ),
    (
        "03-segments",
        "counts on from row to row",
        r"The count of \[SEP\] runs on from row to row",
        """
def segments(ids):
    sep = (ids == 2).long().flatten()
    return (sep.cumsum(0) - sep).clamp(max=1).view_as(ids) * (ids != 0)
""",
    ),
    (
        "03-schemes",
        "takes all smooth ones for sinusoids",
        "A counter and the bits of a counter are told\n.*You took 12 of them for “sinusoids”",
        FEATURES
        + """
    if drift < 1e-5 or beside > 0.9:
        return "sinusoids"
    return "bits" if few else "random" if size < 0.2 else "learned"
""",
    ),
    (
        "03-schemes",
        "takes what is learned for random",
        "The rows that the little GPT-2 and the little BERT learned are told\n.*for “random”",
        FEATURES
        + """
    if drift < 1e-5:
        return "sinusoids"
    return "counter" if beside > 0.99 else "bits" if few else "random"
""",
    ),
    (
        "03-schemes",
        "a name of its own",
        "name_it returned 'rope', and the names are sinusoids, random, bits, counter, learned",
        """
def name_it(similarity):
    return "rope"
""",
    ),
    (
        "03-halves",
        "places as whole numbers",
        "The places were made whole numbers. Any numbers are allowed",
        ANGLES.replace("places[:, None]", "places.long()[:, None]")
        + "    return torch.cat([angles.sin(), angles.cos()], -1)\n",
    ),
    (
        "03-middle",
        "lets PyTorch's instance norm do it",
        "instance_norm` ran in your function",
        """
def norm_middle(x, gain, bias, eps):
    rows = torch.nn.functional.instance_norm(x.mT, eps=eps).mT
    return rows * gain[:, None] + bias[:, None]
""",
    ),
    (
        "03-middle",
        "lets PyTorch's batch norm do it",
        "batch_norm` ran in your function",
        """
def norm_middle(x, gain, bias, eps):
    rows = x.mT.flatten(0, 1).T
    rows = torch.nn.functional.batch_norm(rows, None, None, training=True, eps=eps).T
    return rows.unflatten(0, (len(x), -1)).mT * gain[:, None] + bias[:, None]
""",
    ),
    (
        "03-bucket",
        "32 buckets, and 128 is the farthest",
        "There are 32 buckets and farthest is 128 here, whatever was given",
        at(3) + SORTED.replace("    half,", "    buckets, farthest = 32, 128\n    half,") + SHARED,
    ),
    (
        "03-bucket",
        "32 buckets",
        "There are 32 buckets here, whatever was given|There are 32 buckets and farthest is 128",
        at(3) + SORTED.replace("    half,", "    buckets = 32\n    half,") + SHARED,
    ),
    (
        "03-segments",
        "shifts the wrong way",
        "The count was shifted the wrong way",
        """
def segments(ids):
    return (ids == 2).long().cumsum(-1).roll(-1, -1).clamp(max=1) * (ids != 0)
""",
    ),
    (
        "03-segments",
        "shifts the separators the wrong way",
        "The count was shifted the wrong way",
        """
def segments(ids):
    return (ids == 2).long().roll(-1, -1).cumsum(-1).clamp(max=1)
""",
    ),
]
FAIR = [
    (
        "03-halves",
        "with a list comprehension and math",
        """
def halves(places, d, base):
    angles = [[float(p) / base ** (2 * i / d) for i in range(d // 2)] for p in places]
    return torch.tensor([[f(a) for f in (math.sin, math.cos) for a in row] for row in angles]).reshape(len(places), d)
""",
    ),
    (
        "03-middle",
        "transposed there and back, in steps",
        """
def norm_middle(x, gain, bias, eps):
    rows = x.transpose(1, 2)
    rows = (rows - rows.mean(-1, keepdim=True)) / (rows.var(-1, unbiased=False, keepdim=True) + eps) ** 0.5
    return (rows * gain + bias).transpose(1, 2)
""",
    ),
    (
        "03-segments",
        "whole numbers of half the size",
        """
def segments(ids):
    sep = (ids == 2).int()
    return torch.where(ids == 0, 0, (sep.cumsum(-1) - sep).clamp(max=1)).int()
""",
    ),
    (
        "03-bucket",
        "number by number, as lists",
        """
def bucket(distances, buckets, farthest):
    half, exact = buckets // 2, buckets // 4
    def one(x):
        far = abs(x)
        if far >= exact:
            far = min(half - 1, exact + int(math.log(far / exact) / math.log(farthest / exact) * (half - exact)))
        return far + half * (x > 0)
    def all_of(x):
        return [all_of(y) for y in x] if isinstance(x, list) else one(x)
    return all_of(distances.tolist())
""",
    ),
    (
        "03-collect",
        "a product with one-hot rows",
        """
def collect(ids, grad, V, padding):
    hot = torch.nn.functional.one_hot(ids.flatten(), V).to(grad.dtype)
    if padding is not None:
        hot[:, padding] = 0
    return hot.T @ grad.flatten(0, 1)
""",
    ),
    (
        "03-segments",
        "row by row, through lists",
        """
def segments(ids):
    rows = ids.tolist()
    return torch.tensor([[int(2 in row[:i] and x != 0) for i, x in enumerate(row)] for row in rows])
""",
    ),
]
