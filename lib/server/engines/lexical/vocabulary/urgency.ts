import type { Cue } from "../cues"

/** What makes a message pressing. */
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

/** What lets it wait for some days. */
export const SOME_DAYS: Cue[] = [
  [
    0.15,
    "this week, (in|during) the (course|next) … (week|days), (next|few|couple of) (few )?days, by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|next week), end of (the )?(week|month), next week, sometimes, a reload helps, workaround",
  ],
]

/** What lets it wait for long. */
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
