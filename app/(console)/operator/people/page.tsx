import Form from "next/form"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Fact, Facts } from "@/components/ui/fact"
import { PageHeader } from "@/components/ui/page-header"
import { SearchInput } from "@/components/ui/search-input"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { getPerson, type Person } from "@/lib/server/closing/find-person"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorHas, ROLES } from "@/lib/shared/accounts/roles"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { ServiceError } from "@/lib/shared/errors"
import { countOf } from "@/lib/shared/format"
import { PeopleView } from "@/lib/shared/operator/search"
import { AccountLink } from "../_components/account-scope"
import { operatorTitle } from "../_components/operator-title"
import { PersonActions } from "./_components/person-actions"

export const generateMetadata = () => operatorTitle("People")

const PATH = "/operator/people"

const COLUMNS: readonly Column<Person["accounts"][number]>[] = [
  { head: "Account", phone: "title", cell: ({ id, name }) => <AccountLink account={{ id, email: name }} /> },
  { head: "Role", phone: "value", cell: ({ role, isOnlyOwner }) => (isOnlyOwner ? "Only owner" : ROLES[role].label) },
  { head: "Other members", phone: "line", phoneLabel: true, align: "right", cell: ({ others }) => others },
  { head: "Status", phone: "end", cell: ({ status }) => status },
]

/** Returns the person with the address that was searched for; null without one. */
async function findPerson(operator: OperatorActor, typed: string): Promise<Person | null> {
  const email = parseEmailAddress(typed)
  if (email === null) return null
  try {
    return await getPerson(runtime(), operator, { email })
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null
    throw error
  }
}

export default async function PeoplePage({ searchParams }: PageProps<"/operator/people">) {
  const operator = await requireOperator(PATH)
  const { email } = PeopleView.parse(await searchParams)
  const person = email === "" ? null : await findPerson(operator, email)
  return (
    <>
      <PageHeader title="People">
        Find a person who left, or who asks by letter, by the address that the person signs in with.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <search>
          <Form action={PATH} scroll={false} prefetch={false} className="flex w-full gap-2 sm:w-96">
            <SearchInput
              key={email}
              name="email"
              aria-label="Find a person"
              defaultValue={email}
              placeholder="E-mail address"
              maxLength={254}
              autoCapitalize="none"
              boxClassName="flex-1"
            />
            <Button type="submit" variant="secondary">
              Search
            </Button>
          </Form>
        </search>
        {person ? <PersonFacts person={person} mayAct={operatorHas(operator.role, "service.operate")} /> : null}
        {email !== "" && person === null ? (
          <EmptyState title="No person has this address">
            Check the address. A person who was deleted is not found any more.
          </EmptyState>
        ) : null}
      </div>
    </>
  )
}

interface PersonFactsProps {
  person: Person
  mayAct: boolean
}

function PersonFacts({ person: { email, createdAt, sessions, accounts }, mayAct }: PersonFactsProps) {
  return (
    <>
      <Facts label="Person">
        <Fact label="Address">
          <span className="wrap-anywhere">{email}</span>
        </Fact>
        <Fact label="Signed up (UTC)">
          <Time at={createdAt} as="minute" />
        </Fact>
        <Fact label="Signed in">{countOf(sessions, "session")}</Fact>
      </Facts>
      {mayAct ? <PersonActions email={email} /> : null}
      <Section id="accounts" title="Accounts">
        <Table
          caption="Accounts"
          columns={COLUMNS}
          rows={accounts}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No accounts">The person is in no account.</EmptyState>}
        />
      </Section>
    </>
  )
}
