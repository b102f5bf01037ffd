import { describe, expect, test } from "vitest"
import { ACCOUNT_API } from "@/lib/server/management/account-api"
import { ADMIN_API } from "@/lib/server/management/admin-api"
import { OPERATOR_SCOPES } from "@/lib/shared/operator/operator-scopes"
import { importedByApi, OPERATOR_LISTS, type OperatorList } from "./operator-lists"
import { VERBS } from "./verb-register"

const LOOKS = "Reads what the list's other rows show."
const BY_PAGE = "Reads figures for people; the metrics and the command `account list` have them for programs."
const OUTLIVES = "A token cannot create authority that outlives it."
const ON_HOST = "Needs the engine or a folder of the machine that runs the service."
const SHADOW = "A person judges the report of a shadow before the alias moves."
const BY_LETTER = "A person reads the letter that asks for it."
const OWNERS = "The account's own pages and API have it for its members."

/** Verbs that a list lacks, with the reason. A verb that is added to one list only fails the test. */
const WITHOUT: Record<string, [lacks: OperatorList[], why: string]> = {
  "accounts/account-tokens.ts listAccountTokens": [["command", "api"], LOOKS],
  "accounts/account-totals.ts getAccountTotals": [["api"], BY_PAGE],
  "accounts/create-account.ts createAccount": [["page"], "A person signs up with an address."],
  "accounts/credit-accounts.ts creditAccounts": [["api"], "A program repeats a credit by its reference."],
  "accounts/get-account.ts operatorForAccount": [
    ["command", "api"],
    "Chooses the account; the others do it by its name.",
  ],
  "accounts/operator-tokens.ts createOperatorToken": [["api"], OUTLIVES],
  "audit/list-service-audit.ts listServiceAuditForward": [
    ["command", "page"],
    "A program reads the log on; people read its newest entries.",
  ],
  "audit/look-at-account.ts lookAtAccount": [["command", "api"], "Records that a person opened a page."],
  "auth/operators.ts inviteOperator": [["api"], OUTLIVES],
  "auth/operators.ts listOperators": [["api"], OUTLIVES],
  "auth/operators.ts removeOperator": [["api"], OUTLIVES],
  "billing/failed-events.ts listFailedEvents": [["page"], "The page Payments shows them as a count."],
  "billing/payment-totals.ts getPaymentTotals": [["command", "api"], BY_PAGE],
  "billing/payment-totals.ts reconcilePayments": [["command"], "A running server does it, and each hour by itself."],
  "billing/payment-totals.ts refreshTopup": [["command"], "A running server does it, and each hour by itself."],
  "closing/act-for-person.ts endPersonSessions": [["api"], BY_LETTER],
  "closing/act-for-person.ts erasePerson": [["api"], BY_LETTER],
  "closing/act-for-person.ts removePerson": [["api"], BY_LETTER],
  "closing/export-person.ts exportPerson": [["api"], BY_LETTER],
  "closing/find-person.ts getPerson": [["api"], BY_LETTER],
  "decisions/record-examples.ts recordExamples": [["api"], ON_HOST],
  "health/get-health.ts getHealth": [["command", "api"], BY_PAGE],
  "health/list-fleet.ts listFleet": [["api"], BY_PAGE],
  "keys/create-key.ts createKey": [["page"], OWNERS],
  "keys/read-keys.ts findKey": [["command", "api"], LOOKS],
  "keys/read-keys.ts listKeys": [["command", "page"], "`account show` and the account's page list the keys."],
  "keys/replace-key.ts replaceKey": [["page"], OWNERS],
  "keys/restrictions.ts restrictKey": [["command", "page"], OWNERS],
  "keys/revoke-key.ts revokeKey": [["page"], OWNERS],
  "ledger/check-runs.ts listLedgerChecks": [["command"], "`ledger verify` checks at once."],
  "ledger/check-runs.ts requestLedgerCheck": [["command"], "`ledger verify` checks at once."],
  "mail/mail-queue.ts listQueuedMail": [["command"], "A person reads whom a mail did not reach."],
  "mail/mail-queue.ts resendMail": [["command"], "A person reads whom a mail did not reach."],
  "models/add-cascade.ts addCascade": [["page", "api"], "A command adds every model."],
  "models/add-model.ts addModel": [["page", "api"], ON_HOST],
  "models/alias-use.ts listAliasAccounts": [["api"], "A dry run of a move shows what it would do."],
  "models/change-engine.ts changeEngine": [["page", "api"], ON_HOST],
  "models/list-models.ts listModels": [["command"], "`model list` probes every engine."],
  "models/model-names.ts addModelName": [["page", "api"], ON_HOST],
  "models/model-names.ts listModelNames": [["page", "api"], ON_HOST],
  "models/model-names.ts removeModelName": [["page", "api"], ON_HOST],
  "models/order-model.ts listModelOrders": [["page", "api"], ON_HOST],
  "models/order-model.ts runModel": [["page", "api"], ON_HOST],
  "models/order-model.ts stopModel": [["page", "api"], ON_HOST],
  "models/report-models.ts probeModel": [["api"], ON_HOST],
  "models/alias-stays.ts getStay": [["command", "api"], LOOKS],
  "shadows/run-shadow.ts endShadow": [["page", "api"], SHADOW],
  "shadows/run-shadow.ts startShadow": [["page", "api"], SHADOW],
  "shadows/shadow-report.ts findShadow": [["api"], SHADOW],
  "signing/signing-keys.ts rotateSigningKey": [["page", "api"], "The host keeps the key, and a server renews it."],
  "usage/find-request.ts findRequest": [["command", "api"], LOOKS],
}

const names = Object.keys(OPERATOR_LISTS) as OperatorList[]

/** Returns the lists that lack each verb that any of them has. */
function lacking(lists: Record<OperatorList, ReadonlySet<string>>): Record<string, OperatorList[]> {
  const all = [...new Set(names.flatMap((name) => [...lists[name]]))].toSorted()
  const rows = all.map((verb): [string, OperatorList[]] => [verb, names.filter((name) => !lists[name].has(verb))])
  return Object.fromEntries(rows.filter(([, lacks]) => lacks.length > 0))
}

const reasoned = Object.fromEntries(Object.entries(WITHOUT).map(([verb, [lacks]]) => [verb, lacks]))

describe("commands, pages of the operator's area and the admin API", () => {
  test("have the same verbs, except where a reason is given", () => {
    expect(lacking(OPERATOR_LISTS)).toEqual(reasoned)
  })

  test("the comparison finds a verb that one list lacks", () => {
    const verb = "accounts/set-account-rates.ts setAccountRates"
    for (const name of names) {
      const less = { ...OPERATOR_LISTS, [name]: new Set([...OPERATOR_LISTS[name]].filter((one) => one !== verb)) }
      expect(lacking(less)[verb]).toEqual([name])
    }
  })

  test("the API imports each verb that it names, and names each that it imports", () => {
    const imported = importedByApi()
    const named = new Set([...OPERATOR_LISTS.api, ...ACCOUNT_API.operations.flatMap(({ verbs }) => verbs)])
    const inner = ["accounts/get-account.ts getAccountOverview"]
    expect([...named].filter((verb) => !imported.has(verb) && !inner.includes(verb))).toEqual([])
    expect([...imported].filter((verb) => !named.has(verb))).toEqual(["accounts/get-account.ts operatorForAccount"])
  })
})

test("an operation needs the right of its verb, and each right is a scope that a token can have", () => {
  for (const { id, right, verbs } of [...ADMIN_API.operations, ...ACCOUNT_API.operations])
    for (const verb of verbs) expect([id, right]).toEqual([id, VERBS[verb]?.[0] ?? "service.operate"])
  const rights = new Set<string>(ADMIN_API.operations.map(({ right }) => right))
  expect(OPERATOR_SCOPES.filter((scope) => !rights.has(scope))).toEqual([])
})

test("every operation has a name and a path of its own, and a description", () => {
  const ids = ADMIN_API.operations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const routes = ADMIN_API.operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
  expect(new Set(routes).size).toBe(routes.length)
})
