import { type CueList, cueReader } from "./cues"
import type { Features } from "./features"
import { INSULTS, NOT_INSULTS, NOT_SPAM, NOT_THREATS, SPAM_CUES, THREATS } from "./vocabulary/harm"
import {
  CALM,
  CANCEL_CUES,
  NOT_CANCEL,
  NOT_REFUND,
  PERSONAL,
  PRESSING,
  QUESTION,
  REFUND_CUES,
  SOME_DAYS,
  THANKS,
} from "./vocabulary/requests"

/** Estimates one property of a text by its wording, 0 to 1. Used for questions that ask for this property. */
export interface Detector {
  kind: "sentiment" | "evidence"
  /** Matches a question, option or level that asks for the property. */
  asked: RegExp
  find(document: Features): number
}

const byCues = (asked: RegExp, cues: CueList): Detector => ({ kind: "evidence", asked, find: cueReader(cues) })

export const URGENCY = byCues(
  /\b(?:urgen\w*|priorit\w*|asap|immediate\w*|time[- ]sensitive|how (?:soon|quickly|fast)|emergency|critical|attention|pressing|severity)\b/,
  { base: 0.3, found: [...PRESSING, ...SOME_DAYS], against: CALM, emphasis: 0.25 },
)

export const NEGATIVE: Detector = {
  kind: "sentiment",
  asked:
    /\b(?:angr\w*|anger|upset|mad|furious|annoy\w*|frustrat\w*|unhappy|dissatisf\w*|unsatisf\w*|negative\w*|complain\w*|disappoint\w*|irritat\w*|bad|hate\w*|sad)\b/,
  find: (document) => 0.5 - document.sentiment / 2,
}

export const POSITIVE: Detector = {
  kind: "sentiment",
  asked:
    /\b(?:happ(?:y|iness)|satisf\w*|positive\w*|pleased|glad|delighted|prais\w*|enjoy\w*|recommend\w*|lik(?:e|es|ed)|lov(?:e|es|ed)|good|great|excellent)\b/,
  find: (document) => 0.5 + document.sentiment / 2,
}

/** For scores that name no direction, such as "how many stars" or "how was it". */
export const MOOD: Detector = {
  kind: "sentiment",
  asked: /\b(?:stars?|ratings?|reviews?|sentiment|mood|tone|feels?|feelings?|how was|experience|opinion)\b/,
  find: POSITIVE.find,
}

const ANY_HARM = "moderat\\w*|inappropriate|harmful|unsafe|violat\\w*|toxic\\w*|harass\\w*|remove[ds]?"

export const HARM: Detector[] = [
  byCues(
    new RegExp(
      `\\b(?:${ANY_HARM}|insult\\w*|abus\\w*|offensive|hate speech|profan\\w*|rude|swear\\w*|hostile|bully\\w*)\\b`,
    ),
    { base: 0.12, found: INSULTS, against: NOT_INSULTS, emphasis: 0.1 },
  ),
  byCues(new RegExp(`\\b(?:${ANY_HARM}|threat\\w*|violen\\w*|danger\\w*)\\b`), {
    base: 0.12,
    found: THREATS,
    against: NOT_THREATS,
  }),
  byCues(/\b(?:spam\w*|phish\w*|scam\w*|junk|advert\w*|unsolicited|fraud\w*)\b/, {
    base: 0.15,
    found: SPAM_CUES,
    against: NOT_SPAM,
    emphasis: 0.35,
  }),
]

export const ASKING = byCues(/\b(?:questions?|inquiry|enquiry)\b/, { base: 0.05, found: QUESTION })

export const DETECTORS: Detector[] = [
  URGENCY,
  NEGATIVE,
  POSITIVE,
  ...HARM,
  byCues(/\b(?:refund\w*|money back|reimburs\w*|chargeback)\b/, {
    base: 0.12,
    found: REFUND_CUES,
    against: NOT_REFUND,
  }),
  byCues(
    /\b(?:cancel\w*|unsubscrib\w*|terminat\w*|churn\w*|(?:end|close|quit|stop|leave)(?: \w+){0,2} (?:subscription|account|contract|membership|plan|paying|service))\b/,
    { base: 0.12, found: CANCEL_CUES, against: NOT_CANCEL },
  ),
  byCues(
    /\b(?:pii|personal (?:data|information|details)|e-?mail address|phone number|credit card number|contact details|ssn)\b/,
    { base: 0.05, found: PERSONAL },
  ),
  ASKING,
  byCues(/\b(?:thank\w*|gratitude|grateful|appreciat\w*)\b/, { base: 0.1, found: THANKS }),
]

/** The state of one request. Runs each detector on it at most once. */
export class Document {
  readonly #found = new Map<Detector, number>()

  constructor(readonly features: Features) {}

  find(detector: Detector): number {
    const found = this.#found.get(detector) ?? detector.find(this.features)
    this.#found.set(detector, found)
    return found
  }
}
