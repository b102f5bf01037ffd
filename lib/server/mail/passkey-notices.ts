import type { Notices } from "./notice"

export interface PasskeyFacts {
  passkey_added: object
  passkey_removed: object
}

const OPEN = { label: "Open passkeys", path: "/settings/passkeys" }

export const PASSKEY_NOTICES: Notices<PasskeyFacts> = {
  passkey_added: {
    label: "A passkey was added",
    isSecurity: true,
    roles: [],
    sample: {},
    write: () => ({
      subject: "A passkey was added to your user",
      intro:
        "A passkey was added to your user. It can confirm changes in a session of yours. If you did not add it, remove it",
      action: OPEN,
      terms: "If you did not add it, also sign out everywhere, and change the password of your mailbox.",
    }),
  },
  passkey_removed: {
    label: "A passkey was removed",
    isSecurity: true,
    roles: [],
    sample: {},
    write: () => ({
      subject: "A passkey was removed from your user",
      intro:
        "A passkey was removed from your user, and can no longer confirm changes. If you did not remove it, sign out everywhere and add it again",
      action: OPEN,
      terms: "Links that we mail to you still confirm changes, unless the operator of this service requires a passkey.",
    }),
  },
}
