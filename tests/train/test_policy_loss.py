"""The policy loss and its gradients against the equations in PyTorch, autograd included, in fp64."""

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

VARIANTS = ["grpo", "dr_grpo", "dapo", "gspo", "cispo"]
PLAN, CODE = 0, 1


@pytest.fixture(scope="module")
def probe():
    path = Path(os.environ.get("TRITONRL_BUILD_DIR", "build")) / "bin" / "policy_loss_probe"
    if not path.exists():
        pytest.skip("policy_loss_probe is not built")

    def ask(cases):
        lines = "".join(json.dumps(case) + "\n" for case in cases)
        done = subprocess.run([path], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask


def draw_case(dice, variant, **fixed):
    sequences = []
    for _ in range(dice.randint(1, 6)):
        plan, code = dice.choice([(0, 5), (4, 0), (1, 1), (dice.randint(1, 9), dice.randint(1, 30))])
        tokens = plan + code
        old = [-dice.expovariate(1.0) for _ in range(tokens)]
        sequences.append(
            {
                "classes": [PLAN] * plan + [CODE] * code,
                "plan": dice.gauss(0, 1),
                "code": dice.gauss(0, 1),
                "old": old,
                "log_probs": [x + dice.gauss(0, 0.3) for x in old],
                "rollout": [x + dice.gauss(0, 0.5) for x in old],
                "reference": [x + dice.gauss(0, 0.5) for x in old],
            }
        )
    narrow = variant == "gspo"
    case = {
        "variant": variant,
        "clip_low": 0.05 if narrow else 0.2,
        "clip_high": 0.07 if narrow else dice.choice([0.2, 0.28]),
        "alpha": dice.choice([0.0, 0.1, 1.0]),
        "class_mean": variant != "dr_grpo" and dice.random() < 0.3,
        "max_tokens": 64,
        "kl": dice.choice([0.0, 0.05]),
        "importance_cap": dice.choice([None, 2.0]),
        "sequences": sequences,
    }
    return {**case, **fixed}


def reference_loss(case, log_probs):
    """-(alpha * J_plan + J_code), sequence by sequence, from the definitions."""
    sequences = case["sequences"]
    responses = len(sequences)
    batch_tokens = sum(len(s["classes"]) for s in sequences)
    objective = {PLAN: torch.zeros((), dtype=torch.float64), CODE: torch.zeros((), dtype=torch.float64)}
    for sequence, new in zip(sequences, log_probs):
        old, rollout, reference = (
            torch.tensor(sequence[name], dtype=torch.float64) for name in ("old", "rollout", "reference")
        )
        classes = torch.tensor(sequence["classes"])
        for token_class, name in ((PLAN, "plan"), (CODE, "code")):
            chosen = classes == token_class
            own = int(chosen.sum())
            if own == 0:
                continue
            advantage = sequence[name]
            ratio = torch.exp(new[chosen] - old[chosen])
            if case["variant"] == "gspo":
                ratio = torch.exp((new[chosen] - old[chosen]).mean()).expand(own)
            clipped = torch.clamp(ratio, 1 - case["clip_low"], 1 + case["clip_high"])
            if case["variant"] == "cispo":
                terms = clipped.detach() * advantage * new[chosen]
            else:
                terms = torch.minimum(ratio * advantage, clipped * advantage)
            if case["importance_cap"] is not None:
                terms = terms * torch.exp(old - rollout)[chosen].clamp(max=case["importance_cap"])
            difference = (reference - new)[chosen]
            terms = terms - case["kl"] * (torch.exp(difference) - difference - 1)
            if case["variant"] in ("dapo", "cispo"):
                of_class = sum(s["classes"].count(token_class) for s in sequences)
                denominator = of_class if case["class_mean"] else batch_tokens
            elif case["variant"] == "dr_grpo":
                denominator = responses * case["max_tokens"]
            else:
                denominator = responses * (own if case["class_mean"] else len(classes))
            objective[token_class] = objective[token_class] + terms.sum() / denominator
    return -(case["alpha"] * objective[PLAN] + objective[CODE])


DEFAULT_CLIPS = {"grpo": (0.2, 0.2), "dr_grpo": (0.2, 0.2), "dapo": (0.2, 0.28), "gspo": (3e-4, 4e-4), "cispo": (1, 4)}


def check(case, answer):
    case = dict(case)
    if case["clip_low"] is None:
        case["clip_low"], case["clip_high"] = DEFAULT_CLIPS[case["variant"]]
    log_probs = [torch.tensor(s["log_probs"], dtype=torch.float64, requires_grad=True) for s in case["sequences"]]
    loss = reference_loss(case, log_probs)
    loss.backward()
    expected = torch.cat([x.grad for x in log_probs])
    found = torch.tensor(answer["gradient"], dtype=torch.float64)
    assert answer["loss"] == pytest.approx(loss.item(), abs=1e-9, rel=1e-9)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_loss_and_gradients_are_those_of_the_equations(probe, variant):
    dice = random.Random(f"{variant} cases")
    cases = [draw_case(dice, variant) for _ in range(200)]
    for case in cases[::4]:  # the variant's own
        case["clip_low"] = case["clip_high"] = None
    answers = probe(cases)
    for case, answer in zip(cases, answers):
        check(case, answer)
    assert sum(sum(answer["clipped"]) for answer in answers) > 100, "the cases must reach the clip"


@pytest.mark.parametrize("variant", ["grpo", "dr_grpo", "dapo"])
def test_hrd_with_equal_rewards_and_alpha_1_is_the_uniform_objective(probe, variant):
    dice = random.Random(f"{variant} uniform")
    for _ in range(50):
        hierarchical = draw_case(dice, variant, alpha=1.0, class_mean=False)
        for sequence in hierarchical["sequences"]:
            sequence["plan"] = sequence["code"]
        uniform = json.loads(json.dumps(hierarchical))
        for sequence in uniform["sequences"]:
            sequence["classes"] = [CODE] * len(sequence["classes"])
        first, second = probe([hierarchical, uniform])
        assert first["loss"] == pytest.approx(second["loss"], abs=1e-12)
        assert first["gradient"] == pytest.approx(second["gradient"], abs=1e-12)


def test_on_policy_gradient_is_the_plain_policy_gradient(probe):
    dice = random.Random("on policy")
    case = draw_case(dice, "grpo", alpha=0.1, kl=0.0, importance_cap=None, class_mean=False)
    for sequence in case["sequences"]:
        sequence["log_probs"] = sequence["old"]
    (answer,) = probe([case])
    expected = []
    for sequence in case["sequences"]:
        tokens = len(sequence["classes"]) * len(case["sequences"])
        expected += [-(0.1 * sequence["plan"] if c == PLAN else sequence["code"]) / tokens for c in sequence["classes"]]
    assert answer["gradient"] == pytest.approx(expected, abs=1e-12)
