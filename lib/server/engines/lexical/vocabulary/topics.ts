/** Topics of a help desk. A text with one of the words has the topic as a feature. `_` joins the words of a phrase. */
export const CUSTOMER_SERVICE: Record<string, string> = {
  billing:
    "billing bill billed invoice payment pay paid charge charged charging charged_twice double_charged overcharged price card credit_card debit debited direct_debit withdrawal receipt transaction fee cost amount bank bank_statement money tax vat unpaid owe owed installment paypal iban dollar euro pound cent balance overdue",
  pricing:
    "pricing price cost cheaper cheap expensive discount coupon quote tier seat annual yearly per_month per_year per_user license budget offer rate how_much upgrade promo code_discount",
  refund: "refund refunded reimburse reimbursement money_back chargeback compensation compensate",
  technical:
    "technical tech bug screen update slow crash crashed crashing error errors broken glitch freeze frozen hang lag server outage timeout loading buffering blank black_screen upload download export import install reinstall restart reboot software app website page api login_page button stopped_working code engineering 500 404 exception went_wrong unresponsive sync video wifi connection browser printer display reload offline keyboard",
  bug: "bug crash crashed crashing error defect glitch broken exception freeze frozen hang regression incorrect wrong went_wrong disappear wipe vanish corrupt blank duplicate stuck ",
  shipping:
    "shipping shipment ship shipped delivery deliver delivered delivering box package parcel courier driver tracking track transit arrive arrived warehouse depot dispatch order order_arrive ordered sent_out get_here gets_here come came on_way logistics post postman mail customs doorstep pick_up neighbour neighbor eta late_order address",
  returns:
    "return returned returns returning exchange exchanging swap replacement replace send_back sending_back sent_back wrong_size wrong_item wrong_colour damaged faulty too_small too_big too_large too_tight size send_this return_label postage",
  product:
    "product waterproof compatible compatibility material heavy weight wide tall dimension suitable available stock made_of work_with works_with fit_in does_this warranty feature colour color model size battery ingredient specification buying buy",
  cancel:
    "cancel cancelled canceled cancelling cancellation unsubscribe terminate churn end_subscription close_account quit discontinue",
  subscription: "subscription subscribe plan renewal renew upgrade downgrade tier membership trial",
  account:
    "account login log_in logged_in sign_in signin sign_up password passcode reset reset_link locked locked_out get_in profile username user_name email_address e_mail credentials verification verify authentication authenticator two_factor 2fa access delete_user register registration avatar",
  security:
    "security hacked hack breach phishing malware fraud fraudulent stolen unauthorized vulnerability suspicious compromised scam ransomware leak leaked",
  privacy: "privacy gdpr personal_data delete_data consent data_protection confidential store_about",
  sales: "sales buy purchase purchasing demo quote pricing discount coupon enterprise buyer lead interested license",
  feature:
    "feature request suggestion suggest idea wish improvement improve enhancement roadmap add add_option dark_mode would_love be_nice be_great be_handy handy let_us any_plans plans_to ability able_to integrate integration allow missing_feature support_for schedule customise customize",
  how_to:
    "how_to how_do how_can how_does where_do where_can where_find find_setting setting step steps set_up setup configure guide tutorial manual instructions explain show_me enable turn_on turn_off possible_to way_to",
  urgent:
    "urgent urgently urgency asap immediately emergency critical right_now hurry priority deadline pressing escalate",
  complaint:
    "complaint complain complaining unacceptable disappointed disappointing disappointment terrible awful worst angry dissatisfied frustrated frustrating unhappy ridiculous rude joke nightmare shame enough_of fed_up second_time ignored useless incompetent hotline",
  praise:
    "praise compliment great excellent amazing wonderful fantastic love awesome brilliant perfect thank thanks kudos happy lovely outstanding impressed well_done ",
  question: "question ask asking wonder wondering how_do how_can inquiry enquiry clarify clarification information",
  legal: "legal lawyer attorney lawsuit sue court contract liability compliance regulation clause law judge",
  hr: "hr hiring hire job resume recruit recruiting recruiter employee vacation salary payroll interview candidate onboarding leave benefits internship vacancy career",
}

/** Words that indicate a topic when negated: "does not load" is technical, "has not come" is shipping. */
export const WHEN_NEGATED: Record<string, string> = {
  technical:
    "work load open start respond connect function save export import display show play print sync upload react",
  bug: "work load open start respond connect function save export import display play print sync upload react",
  shipping: "arrive come receive deliver show appear reach heard hear dispatch ship",
  account: "log_in sign_in get_in access remember enter",
}

/** Topics outside a help desk. */
export const WORLD: Record<string, string> = {
  insult: "insult insulting idiot stupid moron dumb loser pathetic fool trash imbecile jerk abusive harassment abuse",
  threat: "threat threaten threatening kill hurt attack bomb shoot violence violent murder destroy weapon",
  spam: "spam lottery winner prize viagra casino click_here free_money crypto_giveaway limited_offer promotion unsubscribe_now congratulations_won",
  sport:
    "sport sports football soccer basketball tennis team match goal league player coach tournament championship olympics score_goal game_win striker",
  politics:
    "politics political election vote voter president government parliament senate minister party policy campaign congress mayor",
  business:
    "business company market stock stocks shares investor revenue profit merger acquisition earnings economy economic finance financial startup bank inflation",
  technology:
    "technology tech software computer smartphone phone ai chip processor internet gadget robot startup app laptop device algorithm",
  science:
    "science scientist research researcher study physics biology chemistry experiment planet space telescope nasa discovery species climate",
  health:
    "health medical doctor hospital patient disease symptom medicine vaccine pain fever headache treatment clinic nurse illness diet dentist",
  entertainment:
    "entertainment movie film music actor actress singer album concert tv show celebrity series hollywood band song",
  travel:
    "travel trip flight hotel airport booking reservation vacation holiday luggage passport tourist destination airline train",
  food: "food restaurant meal eat pizza dish recipe cook cooking chef taste tasty delicious lunch dinner breakfast menu kitchen bakery bread soup",
  weather: "weather rain storm snow sunny temperature forecast wind hurricane flood",
  education:
    "education school teacher student university college class course lesson exam homework learn learning degree",
  animal: "animal dog cat puppy kitten bird horse fish pet wildlife lion",
  vehicle: "vehicle car truck motor engine drive driver bike bicycle motorcycle tire brake garage",
  home: "home house apartment rent furniture room plumber plumbing leak roof landlord tenant property",
}
