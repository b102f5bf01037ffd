"use client"
import Form from "next/form"
import { useAccountAddress } from "@/components/link/account-address"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { SearchInput } from "@/components/ui/search-input"

/** Renders the field that opens a request by the id of its response, whatever the range and the filters are. */
export function FindRequest({ id = "" }: { id?: string }) {
  const addressOf = useAccountAddress()
  return (
    <Form
      action={addressOf("/requests")}
      prefetch={false}
      aria-label="Find a request"
      className="flex flex-wrap items-end gap-2 max-sm:w-full"
    >
      <Field label="Request id" className="w-72 max-sm:grow">
        <SearchInput name="request" mono required maxLength={60} defaultValue={id} key={id} />
      </Field>
      <Button type="submit" variant="secondary">
        Find
      </Button>
    </Form>
  )
}
