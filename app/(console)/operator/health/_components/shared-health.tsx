import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Fact, Facts } from "@/components/ui/fact"
import { Section } from "@/components/ui/section"
import { Time } from "@/components/ui/time"
import type { DatabaseHealth, Health, MailHealth } from "@/lib/server/health/get-health"
import { formatCount, formatMs } from "@/lib/shared/format"

const MAIL: Record<MailHealth, { text: string; hint: string }> = {
  outbox: { text: "Local outbox", hint: "EMAIL_SERVER is not set" },
  ok: { text: "Connected", hint: "EMAIL_SERVER accepts this service" },
  unreachable: { text: "Unreachable", hint: "Nobody can sign in. Check EMAIL_SERVER" },
  unknown: { text: "Unknown", hint: "EMAIL_SERVER did not reply within 4 s" },
}

const megabytes = (bytes: number): string => `${formatCount(Math.max(1, Math.round(bytes / 1_000_000)))} MB`

/** Shows what all servers on this database share. */
export function SharedHealth({ health: { database, backup, mail, mailQueue, version } }: { health: Health }) {
  return (
    <Section id="shared" title="Database, mail, backups and version">
      {database ? null : (
        <Alert tone="danger" title="The database does not reply">
          Decisions fail with 500 and cost nothing until it returns. Check that PostgreSQL runs.
        </Alert>
      )}
      <Facts label="Shared">
        {database ? <DatabaseFacts database={database} /> : null}
        <Fact label="Mail" hint={MAIL[mail].hint}>
          {mail === "unreachable" ? <Badge tone="danger">Unreachable</Badge> : MAIL[mail].text}
        </Fact>
        <Fact label="Queued mails" hint="Warnings and receipts. Each is tried for two days">
          {mailQueue === null
            ? "Unknown"
            : `${formatCount(mailQueue.waiting)} waiting, ${formatCount(mailQueue.givenUp)} given up`}
        </Fact>
        <Fact
          label="Last backup"
          hint={
            backup === null
              ? "The database did not reply"
              : backup.everyHours > 0
                ? `Every ${backup.everyHours} h`
                : "No schedule: set BACKUP_EVERY_HOURS"
          }
        >
          {backup === null ? (
            "Unknown"
          ) : backup.takenAt ? (
            <>
              <Time at={backup.takenAt} />, {megabytes(backup.bytes ?? 0)}
            </>
          ) : (
            "None"
          )}
        </Fact>
        <Fact label="Last rehearsal" hint="Restores the newest backup on trial: run operator backup rehearse">
          {backup === null ? "Unknown" : backup.rehearsedAt ? <Time at={backup.rehearsedAt} /> : "None"}
        </Fact>
        <Fact
          label="Version"
          hint={version.build ? <span className="break-all font-mono">{version.build}</span> : "Not built: development"}
        >
          {version.release}
        </Fact>
      </Facts>
    </Section>
  )
}

function DatabaseFacts({ database }: { database: DatabaseHealth }) {
  return (
    <>
      <Fact label="PostgreSQL" hint={database.isEmbedded ? "The embedded one, in DATA_DIR" : "At DATABASE_URL"}>
        {database.version}
      </Fact>
      <Fact label="Reply" hint="To a trivial query">
        {formatMs(database.latencyMs)}
      </Fact>
      <Fact label="Size">{megabytes(database.bytes)}</Fact>
      <Fact label="Connections" hint="To this database, of all programs">
        {formatCount(database.connections)} of {formatCount(database.maxConnections)}
      </Fact>
      <Fact label="Schema">
        <span className="break-all font-mono text-sm">{database.schema ?? "unknown"}</span>
      </Fact>
    </>
  )
}
