/** The numbers of PostgreSQL's advisory locks, the same in every release. */
export const LOCKS = {
  attached: 7315001,
  server: 7315002,
  migrate: 7315003,
  backup: 7315004,
  partitions: 7315005,
  emailChanges: 7315006,
  signInLinks: 7315010,
  invitations: 7315018,
  ledgerChecks: 7315019,
  /** With the hash of a mailbox as second number. */
  mailboxes: 7315020,
  looks: 7315021,
  /** Shared by sign-ins with the OpenID provider, so that a logout there waits for those that have begun. */
  providerLogouts: 7315022,
  /** Shared, with the last id of the audit log as second number. Only `next_audit_id` takes it. */
  auditIds: 7315023,
} as const
