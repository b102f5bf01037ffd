/**
 * What one confirmation opens for 24 hours, and how its mail says so. One scope never opens another, but a passkey that was added under
 * `identity` can confirm `spending` and `access` later.
 */
export const SCOPES = {
  spending:
    "pay, change the saved card, create or resume API keys with a high spend limit or none, and change spend limits and budgets",
  access: "change who and what may use the account: members, account tokens, webhooks and the export",
  identity:
    "change the user's address, add a passkey that can confirm other changes later, delete the user, and close the account or hand it over",
  operator: "operate this service",
} as const

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]

interface Confirmation {
  scope: Scope
  /** What the verb does, as the end of "wants to …". */
  asks: string
}

const needs = <Of extends Scope>(scope: Of, asks: string) => ({ scope, asks })

const OPERATE = needs("operator", SCOPES.operator)

/**
 * The recent sign-in that every verb which changes something needs, by the verb's name; null for none. A verb that only takes authority
 * away, or only ends something, needs none: anyone who suspects a thief must not wait for a mail. `test/confirmations.test.ts` compares
 * the rows with the verbs.
 */
export const CONFIRMATIONS = {
  acceptInvitation: null,
  /** A new account has no credit, and nobody else is in it. */
  addAccount: null,
  addCascade: OPERATE,
  addModel: OPERATE,
  addModelName: OPERATE,
  adjustBalance: OPERATE,
  cancelEmailChange: null,
  cancelMove: OPERATE,
  cancelTopup: null,
  changeEngine: OPERATE,
  changeKey: null,
  changeRole: needs("access", "change a member's role"),
  /** Checks a passkey, which is the confirmation. */
  confirmByPasskey: null,
  closeAccount: needs("identity", "close the account"),
  createAccountToken: needs("access", "create an account token"),
  createOperatorToken: OPERATE,
  createEndpoint: needs("access", "create a webhook"),
  addPasskey: needs("identity", "add a passkey"),
  addSlackAddress: needs("access", "add a Slack address"),
  /** Only with a limit above the larger of the balance and $50, or with none. */
  createKey: needs("spending", "create an API key with a high spend limit or none"),
  creditAccounts: OPERATE,
  deleteEndpoint: null,
  deleteUser: needs("identity", "delete the user"),
  endAllSessions: null,
  endAllowance: OPERATE,
  endLeft: null,
  endOldSecret: null,
  endOutcomeAlarms: null,
  endOwnSession: null,
  endPersonSessions: OPERATE,
  endShadow: OPERATE,
  endTopup: OPERATE,
  erasePerson: OPERATE,
  exportPerson: OPERATE,
  inviteMember: needs("access", "invite a person to the account"),
  inviteOperator: OPERATE,
  keepOutcomes: null,
  leaveAccount: null,
  lookAtAccount: OPERATE,
  /** Not a verb: `createAccountToken` with the scope `keys.manage`, because the token's keys may have a high spend limit or none. */
  manageKeysByToken: needs("spending", "create an account token that manages API keys"),
  markFirstSteps: null,
  moveAlias: OPERATE,
  saveAlerts: null,
  /** Every page and action of the operator's area, also those that read. */
  operate: OPERATE,
  pauseKey: null,
  planMove: OPERATE,
  reconcilePayments: OPERATE,
  refreshTopup: OPERATE,
  refundTopup: OPERATE,
  recordExamples: OPERATE,
  removeBudget: needs("spending", "remove a budget"),
  removeCard: needs("spending", "remove the saved card"),
  removeMember: needs("access", "remove a member"),
  removeModelName: OPERATE,
  removeOperator: OPERATE,
  /** A mailed link still confirms the same. */
  removePasskey: null,
  removePerson: OPERATE,
  renameAccount: null,
  renamePasskey: null,
  /** Like `createKey`. */
  replaceKey: needs("spending", "replace the secret of an API key with a high spend limit or none"),
  requestConfirmation: null,
  requestEmailChange: needs("identity", "change the address of the user"),
  requestLedgerCheck: OPERATE,
  resendDelivery: null,
  resendInvitation: needs("access", "invite a person to the account again"),
  resendMail: OPERATE,
  /** Like `createKey`, because restrictions can be lifted. */
  restrictKey: needs("spending", "restrict an API key with a high spend limit or none, or lift its restrictions"),
  /** Like `createKey`. */
  resumeKey: needs("spending", "resume an API key with a high spend limit or none"),
  retireModel: OPERATE,
  revokeAccountToken: null,
  revokeInvitation: null,
  revokeKey: null,
  revokeKeys: null,
  revokeOperatorToken: OPERATE,
  rotateSigningKey: OPERATE,
  rotateSecret: needs("access", "replace the secret of a webhook"),
  runModel: OPERATE,
  saveBillingDetails: null,
  setAccountRates: OPERATE,
  setAccountStatus: OPERATE,
  setAllowance: OPERATE,
  setBudget: needs("spending", "set a budget"),
  setKeyRules: needs("spending", "change the spend limits of new API keys"),
  setLimits: OPERATE,
  setOutcomeAlarms: null,
  setPrice: OPERATE,
  setStay: null,
  setTakingPart: null,
  settleTopup: OPERATE,
  signRecord: null,
  startCardSession: needs("spending", "save a card"),
  startPasskey: needs("identity", "add a passkey"),
  startPasskeyConfirmation: null,
  startShadow: OPERATE,
  stopModel: OPERATE,
  startTopup: needs("spending", "add credit"),
  streamExport: needs("access", "export everything that is stored about the account"),
  switchAccount: null,
  testEndpoint: null,
  /** Whatever makes a person an owner, or ends that, needs this: a role, an invitation, a removal, leaving. */
  transferOwnership: needs("identity", "change who owns the account"),
  turnOffAutoTopup: null,
  turnOnAutoTopup: needs("spending", "turn on automatic top-up"),
  uploadOutcomes: null,
  warnAt: null,
} as const satisfies Record<string, Confirmation | null>

type Confirmations = typeof CONFIRMATIONS

/** The verbs that need a recent sign-in. */
export type ConfirmedVerb = {
  [Verb in keyof Confirmations]: Confirmations[Verb] extends Confirmation ? Verb : never
}[keyof Confirmations]

/** Returns the scope and the plain words of a verb, or null for a text that names none, or one that needs no confirmation. */
export const confirmationOf = (verb: string | null | undefined): Confirmation | null =>
  verb && Object.hasOwn(CONFIRMATIONS, verb) ? CONFIRMATIONS[verb as keyof Confirmations] : null

export interface RequestedConfirmation {
  /** Whether a mail was sent. False shortly after another one, and while a limit on mails is used up. */
  sent: boolean
  /** When the next one can be requested, in seconds from now. */
  retryAfterSeconds: number
}
