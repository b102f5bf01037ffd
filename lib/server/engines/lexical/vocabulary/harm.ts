import type { Cue } from "./cue"

const NOUNS =
  "idiots?|morons?|losers?|fools?|imbeciles?|jerks?|scum(bags?)?|bastards?|bitch(es)?|assholes?|arseholes?|dumbass(es)?|retards?|cretins?|dimwits?|halfwits?|wankers?|pricks?|dickheads?|cunts?|sluts?|whores?|clowns?|freaks?|creeps?|lowlifes?|dumb|stupid|pathetic|worthless|useless|brainless|ignorant|ugly|fat|disgusting|filthy|trash|garbage|vermin|parasites?|cowards?|liars?"
/** Insults only when addressed to a person. */
const ANIMALS =
  "pigs?|cows?|rats?|dogs?|snakes?|donkeys?|worms?|toads?|monkeys?|goats?|weasels?|cockroach(es)?|animals?"
const AT_SOMEBODY = "(you|ya|u|you're|ur|you all|you people|y'all|he's|she's|they're|he is|she is|they are)"

/** Abuse of the reader or of others. */
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

/** Insulting words about the writer, about a thing, or in consolation. */
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

export const THREATS: Cue[] = [
  [
    0.8,
    `${WILL} … ${HARM} … (you|your|him|his|her|them|their|everyone|u|ur), (kill|hurt|murder|shoot|stab|beat up|strangle) (you|him|her|them|everyone), you're (so )?dead, you are (so )?dead, dead (meat|man), (watch|better watch) (out|your back), (coming|come) (for|after) (you|your|him|her|them), (deserves?|needs?) (a bullet|to die|to be (shot|killed|hanged|beaten)|a beating), you('ll| will) (regret|pay|be sorry|wish you), know (where you|your address|your family|where your), (should|must|ought to) be (wiped|shot|killed|hanged|exterminated|gassed|burned), your (family|kids|children|wife) … (next|safe|pay), planted a bomb`,
  ],
  [0.3, "or else, one more word, if you (ever|do|post|come|say) … again, bullet, bomb, violence, threat(en)?s?"],
]

/** Harm in a story, a figure of speech or the weather. */
export const NOT_THREATS: Cue[] = [
  [
    0.5,
    "(killed|killing) (it|me|us), movie, film, novel, game, serial, storm, earthquake, joke, on stage, your (code|app|build|site|phone|computer|screen) (will|may|might)",
  ],
]

export const SPAM_CUES: Cue[] = [
  [
    0.65,
    "(click|tap|press) (here|this|the link|on|below|now), claim (your|it|now), (you|u) (have|'ve|been|have been|were|are)? ?(won|been (selected|chosen)|chosen|selected|the winner), you've won, act (now|fast), limited(-| )time, free (money|spins?|gift|iphone|trial now), lottery, viagra, cialis, casino, no deposit, (work|earn|money) … (from home|sofa|couch), 100% (free|guaranteed), (risk|zero|no)(-| )(free|risk), buy followers, (real|more|new) followers, without (a )?prescription, cheap (meds|pills|viagra|watches), \\$\\$+, \\d+ ?% (off|discount), (up to|only) \\d+ ?%, (verify|confirm|update|enter|validate) your … (account|details|password|card|identity|number|bank|mailbox|payment), your (account|mailbox|card|access) (will be|has been|is) (suspended|limited|locked|closed|blocked|full), (via|through|at) this link, page 1 of google, (first|top) page of google, order (now|today), buy now, (turn|double|triple) (your|\\d+), investors? wanted, (lose|drop) \\d+ (kilos|kg|pounds|lbs), no experience (needed|required), (dear|hello) (friend|beneficiary|winner), (million|billion) (dollars|usd|euros), inherit(ance|ed), (transfer|wire) … (million|dollars|funds)",
  ],
  [
    0.6,
    "(call|txt|text|ring|dial|reply|log ?on) … \\+?\\d{4,}, \\+?\\d{4,} … (to|and) (claim|collect|win|receive), t&c'?s?, \\d+p ?(/|per )?(min|msg|minute|text|day|week)\\w*, \\d+ppm, (stop|end) (to )?\\d{4,}, (opt|opt-) ?out, to (stop|unsubscribe),? (reply|text|send|txt)\\w*, (you|u|ur|are) … entitled, ringtones?, sexy, (have|'ve|has) won, (urgent|important) … (prize|winner|attempt|mobile), (complimentary|free|bonus|cash|guaranteed) … (prize|award|gift|voucher|entry|tickets?|minutes|mins|texts?|camera|mobile|phone), free!, lucky (day|winner), no strings, (valued|loyal) (customer|member)",
  ],
  [
    0.3,
    "free, prize, award, bonus, vouchers?, https?://\\S+, www\\.\\S+, \\d{10,}, [£$€]\\d[\\d,]*, (txt|claim|dating|adult|unlimited|tones?|loans?|win), subscri(be|bed), (18|16)\\+, over 18, winners?, congrat(s|ulations), guaranteed?, crypto, bitcoin, btc, discounts?, exclusive, (special|best|great) (offer|deal)s?, deals?!, (deal|offer)s?, earn, cheap(est)?, today only, final notice, last chance, (reply|dm|contact|message) (us|me|now|for|for details), profits?, (get )?rich, followers, pills, meds, rebate, owed, (\\d+|one|two) (week|day|night|hour)s? … (\\d+|risk), only \\$?\\d+, \\w+\\.(biz|top|xyz|click|info|ru), within \\d+ ?(h|hours?), !!!+, (now|fast|free)!, designer, replica, suspended, >>, play now, discreet, (make|making) (\\S+ )?(money|cash|\\$+)",
  ],
]

/** Phrases of acquaintances, and of services that the reader uses. */
export const NOT_SPAM: Cue[] = [
  [
    0.5,
    "see you, attached, meeting, lunch, dinner, (mum|mom|dad|grandma|grandpa), (nothing|no action) … (to do|needed|required), if that was you, let me know, has anyone, (isn't|not) (an ad|selling|spam|advertising), simply a fan, (my|our|your) (appointment|order|booking), appointment, for sale\\?, how are you, neighbou?r, (birthday|wedding|chess|tennis|football|school|club)",
  ],
]
