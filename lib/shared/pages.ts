import { type Right, type Role, roleHas } from "@/lib/shared/accounts/roles"

export interface PageRow {
  /** Who may open it; by default signed-in users. The page's guard enforces it: `requireSession` or `requireOperator`. */
  access?: "public" | "session" | "operator"
  /** The right that the page needs. Without one, every member, or every operator, may open it. */
  right?: Right
  /** Where a user without the right is redirected. Without one, the response is 403. */
  elsewhere?: string
  /** The prefix of the public id in place of `[id]`, such as `key` for `key_…`. */
  id?: "acc" | "inv" | "key" | "req"
  /** The page of an account that an operator sees here. A second parameter of the address is named by the prefix of its public id. */
  shows?: string
  /** The page's name in menus. The command menu lists every page with a name, the operator's area its own pages. */
  label?: string
  /** Other words to find the page by in the command menu. */
  keywords?: string
  /** Whether the side bar lists it, in the order of this table. */
  isInMenu?: boolean
}

/** Every page of the service by its address. Menus, guards, return paths and the tests that visit every page read this table. */
export const PAGES = {
  "/": { access: "public" },
  "/playground": {
    right: "decisions.run",
    // Sign-in leads to the playground unless another page was asked for.
    elsewhere: "/usage",
    label: "Playground",
    keywords: "run try request",
    isInMenu: true,
  },
  "/evaluate": {
    right: "decisions.run",
    label: "Evaluate",
    keywords: "test labels threshold calibration",
    isInMenu: true,
  },
  "/keys": { label: "API keys", keywords: "tokens secrets", isInMenu: true },
  "/keys/[id]": { id: "key" },
  "/budgets": { label: "Budgets", keywords: "limits spend monthly daily member tag", isInMenu: true },
  "/usage": { label: "Usage", keywords: "spend tokens charts", isInMenu: true },
  "/requests": { label: "Requests", keywords: "log errors latency export", isInMenu: true },
  "/requests/[id]": { id: "req" },
  "/outcomes": { label: "Outcomes", keywords: "live calibration alarms error rate", isInMenu: true },
  "/billing": {
    label: "Billing",
    keywords: "balance ledger payments refund money credit card chargeback",
    isInMenu: true,
  },
  "/billing/auto-top-up": { right: "billing.read" },
  "/billing/statement": {
    right: "billing.read",
    label: "Monthly statement",
    keywords: "invoice receipt bill tax pdf print",
  },
  "/billing/statements": { right: "billing.read", label: "All statements", keywords: "months invoices" },
  "/billing/top-up": {},
  "/billing/top-up/return": { right: "billing.read" },
  "/models": { access: "public", label: "Models", keywords: "prices alias", isInMenu: true },
  "/docs": { access: "public", label: "Docs", keywords: "help guide api", isInMenu: true },
  "/docs/[slug]": { access: "public" },
  "/members": { label: "Members", keywords: "team users people roles", isInMenu: true },
  "/webhooks": {
    label: "Alerts",
    keywords: "webhooks slack callbacks events notify notifications e-mails unsubscribe",
    isInMenu: true,
  },
  "/settings": { label: "Settings", keywords: "account e-mail theme sessions preferences profile", isInMenu: true },
  "/settings/audit": { right: "audit.read", label: "Audit log", keywords: "history changes" },
  "/settings/passkeys": { label: "Passkeys", keywords: "security key fingerprint webauthn second factor confirm" },
  "/start": {
    right: "keys.manage",
    // The docs lead every reader there.
    elsewhere: "/docs/quickstart",
    label: "First steps",
    keywords: "onboarding quickstart",
  },
  "/status": { access: "public", label: "Status of the service", keywords: "uptime incident down" },
  "/join/[id]": { id: "inv" },
  "/open/[id]": { id: "acc" },
  "/outbox": { access: "public" },
  "/share": { access: "public" },
  "/sign-in": { access: "public" },
  "/sign-in/check": { access: "public" },
  "/sign-in/confirm": { access: "public" },
  "/operator": { access: "operator", label: "Operator", isInMenu: true },
  "/operator/accounts": { access: "operator", label: "Accounts" },
  "/operator/accounts/[id]": { access: "operator", id: "acc" },
  "/operator/accounts/[id]/usage": { access: "operator", id: "acc", shows: "/usage" },
  "/operator/accounts/[id]/requests": { access: "operator", id: "acc", shows: "/requests" },
  "/operator/accounts/[id]/requests/[req]": { access: "operator", id: "acc", shows: "/requests/[id]" },
  "/operator/accounts/[id]/keys": { access: "operator", id: "acc", shows: "/keys" },
  "/operator/accounts/[id]/keys/[key]": { access: "operator", id: "acc", shows: "/keys/[id]" },
  "/operator/accounts/[id]/budgets": { access: "operator", id: "acc", shows: "/budgets" },
  "/operator/accounts/[id]/billing": { access: "operator", id: "acc", shows: "/billing" },
  "/operator/accounts/[id]/billing/statement": { access: "operator", id: "acc", shows: "/billing/statement" },
  "/operator/accounts/[id]/billing/statements": { access: "operator", id: "acc", shows: "/billing/statements" },
  "/operator/accounts/[id]/members": { access: "operator", id: "acc", shows: "/members" },
  "/operator/accounts/[id]/webhooks": { access: "operator", id: "acc", shows: "/webhooks" },
  "/operator/accounts/[id]/settings/audit": { access: "operator", id: "acc", shows: "/settings/audit" },
  "/operator/people": { access: "operator", label: "People" },
  "/operator/credits": { access: "operator", right: "service.finance", label: "Credits" },
  "/operator/allowances": { access: "operator", label: "Allowances" },
  "/operator/models": { access: "operator", label: "Models" },
  "/operator/payments": { access: "operator", label: "Payments" },
  "/operator/mail": { access: "operator", label: "Mail" },
  "/operator/health": { access: "operator", label: "Health" },
  "/operator/fleet": { access: "operator", label: "Fleet" },
  "/operator/audit": { access: "operator", label: "Audit" },
  "/operator/operators": { access: "operator", right: "service.operate", label: "Operators" },
  "/operator/tokens": { access: "operator", right: "service.operate", label: "Tokens" },
  "/operator/confirm": { access: "operator" },
} as const satisfies Record<string, PageRow>

export type PagePath = keyof typeof PAGES
type PathsWith<Row> = { [Path in PagePath]: (typeof PAGES)[Path] extends Row ? Path : never }[PagePath]
export type OperatorPath = PathsWith<{ access: "operator" }>
export type SessionPath = Exclude<PagePath, PathsWith<{ access: string }>>
export type MenuPath = PathsWith<{ isInMenu: true }>

export type Page = PageRow & Required<Pick<PageRow, "access">> & { path: PagePath }

/** Every page in the order of the table. */
export const PAGE_LIST: readonly Page[] = (Object.keys(PAGES) as PagePath[]).map((path) => ({
  path,
  access: "session",
  ...PAGES[path],
}))

export type NamedPage = Page & { label: string }
export const isNamed = (page: Page): page is NamedPage => page.label !== undefined
export const isInMenu = (page: NamedPage): page is NamedPage & { path: MenuPath } => page.isInMenu === true

/** The pages of an account that an operator can open. */
export type ShownPath = Extract<(typeof PAGES)[PagePath], { shows: string }>["shows"]

/** Returns the pages that menus show to a user. Of the operator's area, that is the first page. */
export const namedPagesOf = ({ role, isOperator }: { role: Role; isOperator: boolean }): NamedPage[] =>
  PAGE_LIST.filter(isNamed).filter(({ access, right, isInMenu }) =>
    access === "operator" ? isOperator && isInMenu : right === undefined || roleHas(role, right),
  )
