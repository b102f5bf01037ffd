import type { Cue } from "./cue"

const ASKS =
  "(want|need|demand|expect|claim|request|get|give|send|like|wish|issue|process|due|entitled to|owe|please|kindly|can|could|how|when|where|for|apply)"
const MONEY =
  "(money|cash|payment|amount|charge|deposit|fee|fees|funds|paid|spent|dollars?|euros?|pounds?|bucks|usd|eur|[$€£]?\\d+(\\.\\d+)?)"

export const REFUND_CUES: Cue[] = [
  [
    0.8,
    `${ASKS} … (refund|refunded|reimbursed?|reimbursement|money back|chargeback|compensation), refund (me|us|my|the|this|it), (full|complete|total) refund, ${MONEY} back, back … ${MONEY}, (put|pay|transfer|send|give|return|credit) … ${MONEY} (back|again|to my|on(to)? my|of), (what|everything) i (paid|spent) … (back|returned), (returned|return) … (i paid|my money|the money|the payment|one of them|the \\d+\\S*|\\d+), credit … (amount|account|card), reimburse (me|us), (getting|get|be) (reimbursed|refunded), compensat(e|ion) … (me|us|for|of)`,
  ],
  [0.5, "refund, reimburse(ment|d)?, money back, chargeback, compensation"],
]

/** Completed refunds, questions about the rules, and customers who prefer something else. */
export const NOT_REFUND: Cue[] = [
  [
    0.8,
    "refunded (me|us|it|my|the) … (already|yesterday|last|today), (already|been|was) refunded, refunds? … (arrived|received|came|went through|is here), (got|received) (the|my|your|a) refund, refund polic(y|ies), (polic(y|ies)|rules|terms) … refunds?, (keep|don't need|do not need) the money, (rather|prefer) … than … (money|refund|cash), no refund, (instead of|not) a refund, without a refund",
  ],
]

const CONTRACT =
  "(subscription|contract|membership|account|plan|profile|service|order|booking|reservation|renewal|trial|everything|policy|premium|box|user|agreement)"
const END =
  "(cancel|end|terminate|close|stop|quit|discontinue|delete|remove|drop|kill|shut|shut down|get rid of|leave|opt out of|finish|deactivate|unsubscribe from|pause|take me off)"

export const CANCEL_CUES: Cue[] = [
  [
    0.8,
    `${END} … ${CONTRACT}, ${CONTRACT} … (down|cancelled|canceled|terminated|closed|ended|deleted), (want|like|wish|need|please|pls|how do i|can i|can you|could you|help me|have|going|decided|just|to) (to )?(cancel|unsubscribe|terminate|quit), cancel (it|this|that|my|our|the|please|pls|me|everything|all|immediately|now|at), unsubscribe( me)?, stop (charging|billing|debiting) (me|us), (don't|do not|won't|will not|not|won't be|not be|not to) (auto.?)?renew(ing|ed)?, (no longer|not|don't) (wish|want|need|plan|intend|like) to (continue|stay|use|renew|be), (going|go|gone|switching|switch|moving|move|went) (with|to) (another|a different|a competitor|someone|your competitor), found (something|someone|one|somewhere|a) … (cheaper|better), (i'm|we're|i am|we are|am) (leaving|out|done)`,
  ],
  [0.45, "cancel, cancellation, terminate, unsubscribe, quit"],
]

/** Something else was cancelled or closed, or it is only about the rules. */
export const NOT_CANCEL: Cue[] = [
  [
    0.7,
    "(was|were|been|got|is|are|they|he|she|colleague|you) cancell?ed, cancell?ation (policy|fee|terms), (reopen|reactivate|keep|add|upgrade|upgrading|extend|renew my|another year), by accident and",
  ],
]

export const PRESSING: Cue[] = [
  [
    0.75,
    "data … (visible|exposed|leaked|lost), urgent(ly)?, asap, immediate(ly)?, emergency, critical, right (now|away), at once, as soon as possible, every (second|minute) counts, can(not|'t) wait( any longer)?, losing … (money|customers|sales|thousands|minute|orders|sale), lose (every|all), (is|are|went|gone|completely|totally|been|whole … ) (down|offline), outage, breach(ed)?, hacked, on fire, gas leak, flooding, bleeding, (completely|totally|all|fully) (blocked|stuck|broken|locked out), ransomware, life.threatening, (for|by) (all|every) … (customers?|users?|visitors?|everyone)",
  ],
  [
    0.6,
    "nobody can, no one can, none of … can, everyone is, (all|every) … (customers|users|visitors|shops|staff|patients), in (an|one|two|three|half an) hours?, within (an|the) hour, in … minutes, (fire|smoke|intruder) alarm, deadline, escalate, blocked, system down, production, checkout … broken, (failing|broken) … (every|all)",
  ],
  [
    0.45,
    "today, tonight, this (morning|afternoon|evening), tomorrow morning, (by|before) (noon|midnight|close|end of (the )?(day|business)|\\d+ ?(am|pm)), at \\d+ ?(am|pm), (hurry|quickly|quick), now, !!+, help!",
  ],
  [0.2, "tomorrow, soon, stuck, important, waiting, still (no|don't|haven't|nothing), within the day, since \\d+"],
]

/** Signs that a message can wait for some days. */
export const SOME_DAYS: Cue[] = [
  [
    0.15,
    "this week, (in|during) the (course|next) … (week|days), (next|few|couple of) (few )?days, by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|next week), end of (the )?(week|month), next week, sometimes, a reload helps, workaround",
  ],
]

export const CALM: Cue[] = [
  [
    0.85,
    "no (rush|hurry), there's no (rush|hurry), whenever, (not|isn't|nothing) (very |that |really )?(urgent|important|pressing), when(ever)? you (have|get|find|are|can), low priority, can wait, take your time, eventually, some ?day, at some point, no need to (reply|answer|hurry), in your own time",
  ],
  [
    0.6,
    "just (curious|wondering|an idea|a thought|a suggestion), only curious, (i was|i'm) (only |just )?(curious|wondering), cosmetic, typo, minor, small (suggestion|thing|idea), suggestion, nice to have, (would|might) be nice, slightly, for the future, feature request, i'd love, spare moment",
  ],
]

export const PERSONAL: Cue[] = [
  [0.9, "[\\w.+-]{1,64}@[\\w-]{1,63}\\.\\w+, \\d{3}-\\d{2}-\\d{4}, (\\d{4}[ -]?){3}\\d{4}"],
  [
    0.8,
    "\\+?\\d{1,3}[ .-]?\\(?\\d{2,4}\\)?[ .-]\\d{3,4}[ .-]?\\d{2,4}, \\d{1,5} [a-z]{2,20} (street|st|avenue|ave|road|rd|lane|drive), ssn, passport number, date of birth",
  ],
]

export const QUESTION: Cue[] = [
  [0.85, "[^\\s?]{1,32}\\?"],
  [
    0.5,
    "(how|what|when|where|why|who|which|can|could) (do|does|did|is|are|was|were|can|could|i|you|we|to|much|many|long)",
  ],
]

export const THANKS: Cue[] = [[0.85, "thanks?, thank you, thx, grateful, appreciate\\w*, cheers, much obliged"]]
