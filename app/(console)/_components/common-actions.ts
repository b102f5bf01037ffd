import type { Command } from "@/components/command-menu/commands"
import type { Right } from "@/lib/shared/accounts/roles"
import { postForm } from "./post-form"

export type Action = Command & { right?: Right }

/** What a person does from any page, with the words that people look for it by. */
export const COMMON_ACTIONS: readonly Action[] = [
  {
    id: "run",
    href: "/playground",
    label: "Run a model",
    keywords: "try ask request decision test prompt",
    right: "decisions.run",
  },
  {
    id: "new-evaluation",
    href: "/evaluate",
    label: "Start an evaluation",
    keywords: "new set rows labels csv accuracy threshold",
    right: "decisions.run",
  },
  {
    id: "invite",
    href: "/members?invite=1",
    label: "Invite a member",
    keywords: "add user person people team colleague seat",
    right: "members.manage",
  },
  {
    id: "add-webhook",
    href: "/webhooks?add=1",
    label: "Add a webhook",
    keywords: "new callback endpoint event notify",
    right: "webhooks.manage",
    isMinor: true,
  },
  {
    id: "add-slack",
    href: "/webhooks?slack=1",
    label: "Send alerts to Slack",
    keywords: "add channel mattermost chat incoming webhook notify",
    right: "webhooks.manage",
    isMinor: true,
  },
  {
    id: "auto-top-up",
    href: "/billing/auto-top-up",
    label: "Set up automatic top-up",
    keywords: "recharge refill card saved",
    right: "billing.automate",
    isMinor: true,
  },
  {
    id: "billing-details",
    href: "/settings#billing-details",
    label: "Change the billing details",
    keywords: "vat tax id company name address purchase order invoice",
    right: "billing.pay",
    isMinor: true,
  },
  {
    id: "e-mail",
    href: "/settings#e-mail",
    label: "Change your e-mail address",
    keywords: "login sign-in profile",
    isMinor: true,
  },
  {
    id: "mails",
    href: "/webhooks#alerts",
    label: "Choose which e-mails you get",
    keywords: "notifications alerts unsubscribe warning low balance",
    isMinor: true,
  },
  {
    id: "limits",
    href: "/settings#limits",
    label: "See the limits of this account",
    keywords: "rate limits quota requests per second 429 throttle",
    isMinor: true,
  },
  {
    id: "key-rules",
    href: "/settings#key-rules",
    label: "Change the limits of new keys",
    keywords: "default maximum highest spend api budget cap",
    right: "account.manage",
    isMinor: true,
  },
  {
    id: "sessions",
    href: "/settings#sessions",
    label: "See where you are signed in",
    keywords: "sessions devices browsers log out everywhere",
    isMinor: true,
  },
  {
    id: "export-data",
    href: "/settings#export",
    label: "Export the data of this account",
    keywords: "download gdpr dsgvo privacy portability copy archive",
    right: "account.export",
    isMinor: true,
  },
  {
    id: "close-account",
    href: "/settings#close-account",
    label: "Close this account",
    keywords: "cancel delete deletion of data erase gdpr dsgvo terminate",
    right: "account.close",
    isMinor: true,
  },
  {
    id: "delete-user",
    href: "/settings#delete-user",
    label: "Delete your user",
    keywords: "my data account deletion erase forget remove me gdpr dsgvo privacy",
    isMinor: true,
  },
  {
    id: "sign-out",
    run: () => postForm("/api/auth/signout"),
    label: "Sign out",
    keywords: "log out logout leave",
    isMinor: true,
  },
]
