/**
 * Words that mean the same to a help desk, a moderator or an editor. A text that holds one of a cluster's words (or its
 * name) also has the cluster itself as a feature. Two words joined by `_` are a phrase.
 */
export const CLUSTERS: Record<string, string> = {
  billing:
    "billing bill invoice payment pay paid charge charged charged_twice double_charged overcharged price card credit_card debit receipt transaction fee cost bank money tax vat",
  refund: "refund refunded reimburse reimbursement money_back chargeback compensation",
  technical:
    "technical tech bug screen update slow crash crashed crashing error errors broken glitch freeze frozen server outage timeout loading install software app website page api login_page button stopped_working code engineering it 500 404 exception",
  shipping:
    "shipping shipment ship shipped delivery deliver delivered delivering box package parcel courier tracking track arrive arrived warehouse dispatch order_arrive logistics post",
  returns: "return returned returns exchange replacement replace send_back sent_back wrong_size wrong_item damaged",
  cancel:
    "cancel cancelled canceled cancelling cancellation unsubscribe terminate churn end_subscription close_account",
  subscription: "subscription subscribe plan renewal renew upgrade downgrade tier membership trial",
  account:
    "account login log_in sign_in signin password locked profile username email_address credentials verification authentication 2fa access",
  security:
    "security hacked hack breach phishing malware fraud fraudulent stolen unauthorized vulnerability suspicious compromised scam ransomware",
  privacy: "privacy gdpr personal_data delete_data consent data_protection confidential",
  sales: "sales buy purchase purchasing demo quote pricing discount coupon enterprise buyer lead interested",
  feature:
    "feature request suggestion suggest idea wish improvement enhancement roadmap add_option dark_mode would_love",
  bug: "bug crash crashed crashing error defect glitch broken exception freeze regression",
  urgent:
    "urgent urgently urgency asap immediately emergency critical right_now hurry priority deadline pressing escalate",
  complaint:
    "complaint complain complaining unacceptable disappointed terrible awful worst angry dissatisfied frustrated frustrating unhappy ridiculous rude",
  praise:
    "praise compliment great excellent amazing wonderful fantastic love awesome brilliant perfect thank thanks kudos happy",
  question: "question ask asking wonder wondering how_do how_can inquiry enquiry clarify clarification information",
  insult: "insult insulting idiot stupid moron dumb loser pathetic fool trash imbecile jerk abusive harassment abuse",
  threat: "threat threaten threatening kill hurt attack bomb shoot violence violent murder destroy weapon",
  spam: "spam lottery winner prize viagra casino click_here free_money crypto_giveaway limited_offer promotion unsubscribe_now congratulations_won",
  legal: "legal lawyer attorney lawsuit sue court contract liability compliance regulation clause law judge",
  hr: "hr hiring hire job resume recruit recruiting recruiter employee vacation salary payroll interview candidate onboarding leave benefits",
  sport:
    "sport sports football soccer basketball tennis team match goal league player coach tournament championship olympics score_goal game_win striker",
  politics:
    "politics political election vote voter president government parliament senate minister party policy campaign congress",
  business:
    "business company market stock stocks shares investor revenue profit merger acquisition earnings economy economic finance financial startup bank inflation",
  technology:
    "technology tech software computer smartphone phone ai chip processor internet gadget robot startup app laptop device algorithm",
  science:
    "science scientist research researcher study physics biology chemistry experiment planet space telescope nasa discovery species climate",
  health:
    "health medical doctor hospital patient disease symptom medicine vaccine pain fever headache treatment clinic nurse illness diet",
  entertainment:
    "entertainment movie film music actor actress singer album concert tv show celebrity series hollywood band song",
  travel:
    "travel trip flight hotel airport booking reservation vacation holiday luggage passport tourist destination airline",
  food: "food restaurant meal eat pizza dish recipe cook cooking chef taste tasty delicious lunch dinner breakfast menu kitchen",
  weather: "weather rain storm snow sunny temperature forecast wind hurricane flood",
  education:
    "education school teacher student university college class course lesson exam homework learn learning degree",
  animal: "animal dog cat puppy kitten bird horse fish pet wildlife lion",
  vehicle: "vehicle car truck motor engine drive driver bike bicycle motorcycle tire brake garage",
  home: "home house apartment rent furniture room plumber plumbing leak roof landlord tenant property",
}

/** Words that carry no topic; what a question is wrapped in is among them. */
export const STOP_WORDS = new Set(
  (
    "a an the this that these those it its it's i i'm i've me my we our us you your he she they them their his her is are was were be been being am do does did done have has had having " +
    "will would can could should shall may might must of in on at to for from by with about as into over after before and or but if then than so because while also just there here what " +
    "which who whom whose when where why how all any each some such only own same too very s t m re ve ll d please hi hello dear regards " +
    "message text customer user state sender person author writer review ticket email document content mention mentions mentioned contain contains indicate express expresses describe " +
    "describes relate related concern concerns regard regarding want wants wanted say says said tell tells talk talking get got whether following option best fit fits category topic one two"
  ).split(" "),
)

/** A negator turns the four words after it, up to the next punctuation mark. */
export const NEGATORS = new Set(
  (
    "not no never none nobody nothing neither nor cannot can't won't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't ain't without hardly " +
    "barely cant wont dont doesnt didnt isnt wasnt hasnt havent"
  ).split(" "),
)
