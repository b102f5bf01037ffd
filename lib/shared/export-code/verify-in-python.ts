import { BAND_TYPES } from "./test-readings"

const isBand = `check["type"] in (${BAND_TYPES.map((name) => `"${name}",`).join(" ")})`

/** Checks a sign-off record, of an exported test in Python. It needs `PYTHON_JUDGE`. */
export const VERIFY_IN_PYTHON = `
def number_text(value):
    """Writes a number as JavaScript does: the fewest digits that give the same number, without an exponent from 1e-6 to 1e21."""
    if isinstance(value, int):
        return str(value)
    sign, digits, exponent = re.match(r"(-?)([\\d.]+)(?:e([-+]\\d+))?$", repr(value)).groups()
    whole, _, rest = digits.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + rest
    zeros = len(digits) - len(digits.lstrip("0"))
    digits, point = digits.strip("0"), point - zeros
    if not digits:
        return "0"
    if 0 < point <= 21:
        return sign + (digits + "0" * (point - len(digits)) if len(digits) <= point else digits[:point] + "." + digits[point:])
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{point - 1:+d}"


def canonical(value):
    """Writes canonical JSON (RFC 8785)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(name, ensure_ascii=False) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def sha256(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def claim_confidence(check, claim, each):
    """Returns a row's confidence on the side of a claim; None for a row of the other side."""
    probabilities, side = each["probabilities"], side_of(check, claim)
    if side is not None and each["outcome"] != side:
        return None
    if "option" in claim:
        return probabilities[side]
    if side is not None:
        return probabilities[1] if side == 1 else 1 - probabilities[1]
    # Equal confidences of both sides differ by rounding.
    if ${isBand}:
        return math.floor(max(probabilities[1], 1 - probabilities[1]) * 1e12 + 0.5) / 1e12
    return confidence_of(check, probabilities)


def certified_rows(check, claim, rows):
    """Returns how many of the surest rows the walk of a claim certifies."""
    found = [(claim_confidence(check, claim, each), abs(each["outcome"] - each["label"]) > slack_of(check)) for each in rows]
    ordered = sorted([each for each in found if each[0] is not None], key=lambda each: -each[0])
    steps, wrong = [], 0
    for at, (confidence, is_wrong) in enumerate(ordered):
        wrong += is_wrong
        if at + 1 == len(ordered) or ordered[at + 1][0] != confidence:
            steps.append((at + 1, wrong))
    allowed = allowed_errors(len(ordered), claim["target"], claim["level"])
    first = next((at for at, (count, _) in enumerate(steps) if allowed[count] >= 0), None)
    half = next((at for at, (count, _) in enumerate(steps) if count >= math.ceil(len(ordered) / 2)), None)
    certified = 0
    for start in [first, half] if claim["starts"] == 2 else [first]:
        if first is None or start is None:
            continue
        for count, errors in steps[start:]:
            if errors > allowed[count]:
                break
            certified = max(certified, count)
    return certified


def is_shown(check, claim, at, rows):
    """Returns whether the accepted answers show a claim: by the walk, or by the half that checked the rule."""
    acted, wrong = count_claim(check, claim, at, rows)
    if claim["method"] == "walk":
        return 0 < acted <= certified_rows(check, claim, rows)
    return wrong <= allowed_errors(acted, claim["target"], claim["level"])[acted]


LIMITS = ("minAccuracy", "maxWrongOfAutomatic", "minAutomatic", "maxMeanError")


def verify_question(check, at, said):
    """Recomputes what a record says of one question."""
    question = check["question"]
    rows = judged_rows(check, at, accepted_answers(at))
    acted = [each for each in rows if each["action"] is not None]
    wrong = sum(each["is_wrong"] for each in acted)
    claims = said.get("claims", [])
    rule = [said.get(name) for name in ("name", "type", "rule", "options")]
    is_same = rule == [question, check["type"], check["band"], check.get("options")]
    limits = {name: check[name] for name in LIMITS}
    is_counted = [said.get(name) for name in ("rows", "automatic", "wrong")] == [len(rows), len(acted), wrong]
    met = [
        report(is_same, f"{question}: the rule of the record is that of the test"),
        report(said.get("limits") == limits, f"{question}: the limits of the record are those of the test"),
        report(is_counted, f"{question}: {len(rows)} rows, {len(acted)} automatic, {wrong} of them wrong"),
        report(len(claims) == len(check["claims"]), f"{question}: the record has {len(check['claims'])} claims"),
    ]
    for index, claim in enumerate(check["claims"]):
        claimed = dict(claims[index]) if index < len(claims) else {}
        verdict = claimed.pop("verdict", "missing")
        is_confirmed = is_shown(check, claim, at, rows) and said.get("doubts") == []
        count, errors = count_claim(check, claim, at, rows)
        name = f"{question}: at most {up_to(claim['target'])} of the {what_of(claim)}"
        is_equal = claimed == {**claim, "automatic": count, "wrong": errors}
        met.append(report(is_equal, f"{name}: {errors} of {count} are"))
        expected = "confirmed" if is_confirmed else "not confirmed"
        met.append(report(verdict == expected, f"{name}: {expected}, and the record says {verdict}"))
    return all(met)


PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME


def add_points(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % PRIME
    f = (a[1] + a[0]) * (b[1] + b[0]) % PRIME
    g = 2 * a[3] * b[3] * CURVE % PRIME
    h = 2 * a[2] * b[2] % PRIME
    return ((f - e) * (h - g) % PRIME, (h + g) * (f + e) % PRIME, (h - g) * (h + g) % PRIME, (f - e) * (f + e) % PRIME)


def multiply_point(scalar, point):
    product = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            product = add_points(product, point)
        point = add_points(point, point)
        scalar >>= 1
    return product


def read_point(data):
    """Reads a point of the curve. Raises ValueError for bytes that are none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME != 0:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if y >= PRIME or (x * x - square) % PRIME != 0 or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    if x & 1 != sign:
        x = PRIME - x
    return (x, y, 1, x * y % PRIME)


BASE = read_point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def is_signature(public_key, message, signature):
    """Returns whether an Ed25519 signature is valid (RFC 8032)."""
    if len(signature) != 64 or len(public_key) != 32:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= ORDER:
        return False
    try:
        point, commitment = read_point(public_key), read_point(signature[:32])
    except ValueError:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    left, right = multiply_point(scalar, BASE), add_points(commitment, multiply_point(challenge, point))
    return (left[0] * right[2] - right[0] * left[2]) % PRIME == 0 and (left[1] * right[2] - right[1] * left[2]) % PRIME == 0


def trusted_keys():
    """Returns the public keys to trust: the one in PUBLIC_KEY, or those that the service lists."""
    if os.environ.get("PUBLIC_KEY"):
        return [{"public_key": os.environ["PUBLIC_KEY"], "retired_at": None}]
    with urllib.request.urlopen(BASE_URL + "/status.json", timeout=30) as response:
        return json.loads(response.read()).get("signing_keys", [])


def from_base64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify_signature(record, signature):
    if signature is None:
        return report(not os.environ.get("PUBLIC_KEY"), "the record has no signature")
    statement, public_key = json.loads(signature["statement"]), signature["publicKey"]
    key = next((each for each in trusted_keys() if each["public_key"] == public_key), None)
    is_trusted = key is not None and (key["retired_at"] is None or statement["at"] <= key["retired_at"])
    message, proof = signature["statement"].encode(), from_base64(signature["signature"])
    signed = statement["sha256"]
    signer = [statement.get("person"), statement.get("account")]
    met = [
        report(is_trusted, f"the key {public_key} is one of the service"),
        report(is_signature(from_base64(public_key), message, proof), "the signature is of this key"),
        report(signed == sha256(record), f"the signed SHA-256 is that of the record: {signed}, {statement['at']}"),
        report(signer == [record["person"], record["account"]], f"it was signed for {signer[0]} of the account {signer[1]}"),
    ]
    return all(met)


def verify_record(file):
    """Recomputes the hashes and the verdicts of a record from evaluation.json. Returns whether everything is the same."""
    signed = json.loads(Path(file).read_text(encoding="utf-8"))
    record = signed["record"]
    hashes, questions, checks = record["hashes"], record["questions"], DATA["checks"]
    rows = [{name: value for name, value in row.items() if name != "answers"} for row in DATA["rows"]]
    answers = [row["answers"] for row in DATA["rows"]]
    is_same_model = record["model"] == {"name": MODEL, "pinnedId": DATA["pinnedId"]}
    met = [
        report(sha256(rows) == hashes["rows"], "the rows are those of the record"),
        report(sha256(answers) == hashes["answers"], "the answers are those of the record"),
        report(sha256(json.loads(QUESTIONS)) == hashes["questions"], "the questions are those of the record"),
        report(is_same_model, f"the model is {DATA['pinnedId']}, asked for as {MODEL}"),
        report(len(questions) == len(checks), f"the record has {len(checks)} questions"),
    ]
    for at, check in enumerate(checks):
        met.append(verify_question(check, at, questions[at] if at < len(questions) else {}))
    met.append(verify_signature(record, signed["signature"]))
    return all(met)
`
