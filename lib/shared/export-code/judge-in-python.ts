import { BAND_TYPES, ownReadings, SLACK_TYPES } from "./test-readings"

const returns = (): string =>
  ownReadings("outcome")
    .map(({ name, python }) => `    if check["type"] == "${name}":\n        return ${python}\n`)
    .join("")

const isBand = `check["type"] in (${BAND_TYPES.map((name) => `"${name}",`).join(" ")})`

/** Judges answers, of an exported test in Python. It needs `DATA`. */
export const PYTHON_JUDGE = `
def mean_of(probabilities):
    """Returns the average of the levels, weighted by their probabilities. Adds in order, as the service does."""
    mean = 0.0
    for level, probability in enumerate(probabilities):
        mean += level * probability
    return mean


def outcome_of(check, probabilities):
    """Returns the outcome that an answer stands for. For a score it is the nearest level."""
${returns()}    return probabilities.index(max(probabilities))


def slack_of(check):
    """Returns how far an automatic answer may be from its label without being wrong."""
${SLACK_TYPES.map(({ name, slack }) => `    if check["type"] == "${name}":\n        return ${slack}\n`).join("")}    return 0


def confidence_of(check, probabilities):
    """Returns the probability that the answer is right, or near enough."""
    outcome = outcome_of(check, probabilities)
    near = 0.0
    for at, probability in enumerate(probabilities):
        if abs(at - outcome) <= slack_of(check):
            near += probability
    return near


def automatic(check, probabilities):
    """Returns the outcome that is acted on without a review, or None."""
    if check.get("options"):
        outcome = outcome_of(check, probabilities)
        start = dict(check["options"]).get(check["outcomes"][outcome])
        return outcome if start is not None and probabilities[outcome] >= start else None
    band = check["band"]
    if band is None:
        return None
    low, high = band["low"], band["high"]
    if not ${isBand}:
        is_sure = high is not None and confidence_of(check, probabilities) >= high
        return outcome_of(check, probabilities) if is_sure else None
    yes = probabilities[1]
    if high is not None and yes >= high:
        return 1
    return 0 if low is not None and yes < low else None


def judged_rows(check, at, answers):
    """Returns the labelled rows of one question with the answers, which are in the order of the rows."""
    judged = []
    for index, (row, probabilities) in enumerate(zip(DATA["rows"], answers)):
        label = row["labels"][at]
        if label is None or probabilities is None:
            continue
        outcome, action = outcome_of(check, probabilities), automatic(check, probabilities)
        is_wrong = abs((outcome if action is None else action) - label) > slack_of(check)
        judged.append(
            {
                "index": index,
                "row": row,
                "probabilities": probabilities,
                "label": label,
                "outcome": outcome,
                "action": action,
                "is_right": outcome == label,
                "is_wrong": is_wrong,
            }
        )
    return judged


def accepted_answers(at):
    return [row["answers"][at] for row in DATA["rows"]]


def list_changes(check, at, answers):
    """Lists the answers that changed since they were accepted."""
    before = {each["index"]: each["outcome"] for each in judged_rows(check, at, accepted_answers(at))}
    rows = judged_rows(check, at, answers)
    changed = [each for each in rows if before.get(each["index"]) != each["outcome"]]
    print(f"     {check['question']}: {len(changed)} of {len(rows)} answers changed")

    def name_of(outcome):
        return json.dumps("none" if outcome is None else check["outcomes"][outcome], ensure_ascii=False)

    for each in changed[:50]:
        was, now, right = name_of(before.get(each["index"])), name_of(each["outcome"]), name_of(each["label"])
        print(f"     line {each['row']['line']}: {was} before, {now} now, right is {right}")
    if len(changed) > 50:
        print(f"     and {len(changed) - 50} more")


def allowed_errors(rows, target, level):
    """Returns per number of rows the highest number of wrong ones that still shows "at most target wrong", -1 for none.

    The exact binomial test at \`level\`.
    """
    allowed = [-1]
    errors, mass, total = 0, 1.0, 1.0
    for count in range(1, rows + 1):
        total -= target * mass
        mass *= (1 - target) * count / (count - errors)
        while errors < count:
            following = mass * (count - errors) * target / ((errors + 1) * (1 - target))
            if total + following > level:
                break
            mass = following
            total += mass
            errors += 1
        allowed.append(errors if total <= level else errors - 1)
    return allowed


SIDES = ["no", "yes"]


def claim_rows(claim, at, rows):
    """Returns the rows that a claim is about: those that check the rule, or all."""
    return [each for each in rows if claim["method"] != "split" or each["row"]["checking"][at] == 1]


def side_of(check, claim):
    """Returns the outcome that a claim is about; None for all."""
    if "option" in claim:
        return check["outcomes"].index(claim["option"])
    return SIDES.index(claim["subject"]) if claim["subject"] in SIDES else None


def count_claim(check, claim, at, rows):
    """Counts the automatic answers that a claim is about, and the wrong ones of them."""
    side = side_of(check, claim)
    acted = [
        each
        for each in claim_rows(claim, at, rows)
        if each["action"] is not None and (side is None or each["action"] == side)
    ]
    return len(acted), sum(each["is_wrong"] for each in acted)


def chance_of_loss(worse, better):
    """Returns the probability that as many rows or more got worse, when getting worse and better are equally likely."""
    count = worse + better
    logarithm, total = -count * math.log(2), 0.0
    for at in range(count, worse - 1, -1):
        total += math.exp(logarithm)
        if at > 0:
            logarithm += math.log(at / (count - at + 1))
    return min(1.0, total)


def fixed(value, digits):
    """Shows a number with some decimals. A half is rounded up, as in the console."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def percent(share):
    """Shows a share with one decimal, as the console does."""
    text = fixed(share * 100, 1)
    if share > 0 and text == "0.0":
        return "<0.1%"
    return ">99.9%" if share < 1 and text == "100.0" else text + "%"


def up_to(share):
    """Shows a largest share, rounded up."""
    return fixed(math.ceil(share * 1000 - 1e-9) / 10, 1) + "%"


def report(is_met, line):
    """Prints a line and returns whether it is met."""
    print(f"{'ok  ' if is_met else 'FAIL'} {line}")
    return is_met


WHAT = {
    "yes": "automatic yes are wrong",
    "no": "automatic no are wrong",
    "all": "automatic answers are wrong",
    "within": "automatic scores are more than one level off",
}


def what_of(claim):
    """Names the answers that a claim is about, and what they must not be."""
    return f"automatic “{claim['option']}” are wrong" if "option" in claim else WHAT.get(claim["subject"], claim["subject"])


def judge_claim(check, claim, at, rows):
    """Reports whether the answers still show what was claimed of the accepted ones."""
    acted, wrong = count_claim(check, claim, at, rows)
    most = allowed_errors(acted, claim["target"], claim["level"])[acted]
    shown = "is shown" if wrong <= most else "is no longer shown"
    limit = "which are too few" if most < 0 else f"and {most} may be"
    what = what_of(claim)
    line = f"{check['question']}: at most {up_to(claim['target'])} of the {what} {shown}: {wrong} of {acted} are, {limit}"
    return report(wrong <= most, line)


def judge_loss(check, at, rows):
    """Reports whether more answers got worse than chance explains (McNemar's exact one-sided test at 5%)."""
    before = {each["index"]: each["is_right"] for each in judged_rows(check, at, accepted_answers(at))}
    worse = sum(before.get(each["index"]) is True and not each["is_right"] for each in rows)
    better = sum(before.get(each["index"]) is False and each["is_right"] for each in rows)
    chance = chance_of_loss(worse, better)
    is_met = worse == 0 or chance > 0.05
    verdict = "is within chance" if is_met else "is more than chance explains"
    line = f"{check['question']}: became wrong {worse}, became right {better}, which {verdict} (p = {fixed(chance, 4)})"
    return report(is_met, line)


def judge_share(check, name, count, of, limit, is_least):
    if limit is None:
        return True
    value = count / of if of else 0
    accepted = f"from {percent(limit)}" if is_least else f"up to {up_to(limit)}"
    line = f"{check['question']}: {name} is {percent(value)} ({count} of {of}), accepted {accepted}"
    return report(value >= limit if is_least else value <= limit, line)


def judge(check, at, answers):
    """Prints the figures of one question and returns whether all are as accepted."""
    rows = judged_rows(check, at, answers)
    acted = [each for each in rows if each["action"] is not None]
    right = sum(each["is_right"] for each in rows)
    met = [judge_claim(check, claim, at, rows) for claim in check["claims"]]
    met.append(judge_loss(check, at, rows))
    met.append(judge_share(check, "accuracy", right, len(rows), check["minAccuracy"], True))
    met.append(judge_share(check, "automatic share", len(acted), len(rows), check["minAutomatic"], True))
    for name, limit, side in [
        ("wrong of the automatic", "maxWrongOfAutomatic", None),
        ("wrong of the automatic yes", "maxWrongOfYes", 1),
        ("wrong of the automatic no", "maxWrongOfNo", 0),
    ]:
        of = [each for each in acted if side is None or each["action"] == side]
        wrong = sum(each["is_wrong"] for each in of)
        met.append(judge_share(check, name, wrong, len(of), None if check["claims"] else check.get(limit), False))
    if check["maxMeanError"] is not None:
        distance = 0.0
        for each in rows:
            distance += abs(mean_of(each["probabilities"]) - each["label"])
        error = distance / len(rows)
        line = f"{check['question']}: mean error is {fixed(error, 3)} levels, accepted up to {check['maxMeanError']}"
        met.append(report(error <= check["maxMeanError"], line))
    return all(met)
`
