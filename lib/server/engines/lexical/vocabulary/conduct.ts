import type { Cue } from "../cues"

const NOUNS =
  "idiots?|morons?|losers?|fools?|imbeciles?|jerks?|scum(bags?)?|bastards?|bitch(es)?|assholes?|arseholes?|dumbass(es)?|retards?|cretins?|dimwits?|halfwits?|wankers?|pricks?|dickheads?|cunts?|sluts?|whores?|clowns?|freaks?|creeps?|lowlifes?|dumb|stupid|pathetic|worthless|useless|brainless|ignorant|ugly|fat|disgusting|filthy|trash|garbage|vermin|parasites?|cowards?|liars?"
/** Insults only where they are thrown at somebody. */
const ANIMALS =
  "pigs?|cows?|rats?|dogs?|snakes?|donkeys?|worms?|toads?|monkeys?|goats?|weasels?|cockroach(es)?|animals?"
const AT_SOMEBODY = "(you|ya|u|you're|ur|you all|you people|y'all|he's|she's|they're|he is|she is|they are)"

/** Abuse of somebody: thrown at the reader or at others. */
export const INSULTS: Cue[] = [
  [
    0.8,
    `${AT_SOMEBODY} … (${NOUNS}), ${AT_SOMEBODY} … (${ANIMALS}), (such|what|bunch) … (${NOUNS}) you (all )?are, (${NOUNS}) (like|of a (man|woman|person)) (you|him|her)?, (fuck|screw) (you|off|u|him|her|them), shut (up|your), (nobody|no one) (likes|loves|wants|needs|cares about) you, waste of (oxygen|space|air|skin), get lost, go to hell, drop dead, piss off, kill yourself, kys, excuse (of|for) a (man|woman|human|person), how (dumb|stupid) (can|are|could)`,
  ],
  [
    0.4,
    "idiots?, morons?, imbeciles?, scum, bastards?, bitch(es)?, assholes?, cretins?, fuck\\w*, shit\\w*, dickheads?, pathetic, stupid, dumb, losers?, worthless, wankers?, retards?",
  ],
]

/** The writer means himself, a thing, or gives comfort. */
export const NOT_INSULTS: Cue[] = [
  [
    0.7,
    "(i'm|i am|i was|i feel|me|myself|my (dog|cat|son|phone|laptop)|it's|it is|this is|that was|was) (just |really )?(so|such|too|a|an)? ?(an? )?(\\w+ )?(idiot|stupid|dumb|fool|pathetic), everybody makes, stupid (mistake|question|of me), my … (i|we) love (him|her|it|them)",
  ],
]

const WILL =
  "(i'll|i will|we'll|we will|i'm going to|we're going to|i'm gonna|gonna|imma|someone should|somebody should|let's)"
const HARM =
  "(kill|hurt|murder|shoot|stab|beat|burn|smash|break|destroy|bury|strangle|punch|slap|cut|end|ruin|find|get|hunt|choke|bomb)"

/** Announced harm. */
export const THREATS: Cue[] = [
  [
    0.8,
    `${WILL} … ${HARM} … (you|your|him|his|her|them|their|everyone|u|ur), (kill|hurt|murder|shoot|stab|beat up|strangle) (you|him|her|them|everyone), you're (so )?dead, you are (so )?dead, dead (meat|man), (watch|better watch) (out|your back), (coming|come) (for|after) (you|your|him|her|them), (deserves?|needs?) (a bullet|to die|to be (shot|killed|hanged|beaten)|a beating), you('ll| will) (regret|pay|be sorry|wish you), know (where you|your address|your family|where your), (should|must|ought to) be (wiped|shot|killed|hanged|exterminated|gassed|burned), your (family|kids|children|wife) … (next|safe|pay), planted a bomb`,
  ],
  [0.3, "or else, one more word, if you (ever|do|post|come|say) … again, bullet, bomb, violence, threat(en)?s?"],
]

/** Harm that is a story, a figure of speech or the weather. */
export const NOT_THREATS: Cue[] = [
  [
    0.5,
    "(killed|killing) (it|me|us), movie, film, novel, game, serial, storm, earthquake, joke, on stage, your (code|app|build|site|phone|computer|screen) (will|may|might)",
  ],
]
