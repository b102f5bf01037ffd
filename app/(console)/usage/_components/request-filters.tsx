import Form from "next/form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { UsageSearch } from "@/lib/server/usage/search"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { HiddenSearch } from "./hidden-search"

/** What only the console answers stands in no log of requests. */
const NOT_LOGGED: readonly ErrorCode[] = [
  "invalid_api_key",
  "not_found",
  "method_not_allowed",
  "signed_out",
  "forbidden",
]

const CODES = (Object.keys(errorTable) as ErrorCode[]).filter((code) => !NOT_LOGGED.includes(code))

/** Which results the log shows, and the way to one request by its id. */
export function RequestFilters({ search }: { search: UsageSearch }) {
  const { result = "", request = "" } = search
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <Form
        action="/usage"
        scroll={false}
        aria-label="Results"
        className="flex flex-wrap items-end gap-2 max-sm:w-full"
      >
        <HiddenSearch search={search} without={["result", "before", "request"]} />
        <Field label="Result" className="w-52 max-sm:grow">
          <Select name="result" defaultValue={result} key={result}>
            <option value="">All results</option>
            <option value="answered">200, answered</option>
            <option value="refused">Everything else</option>
            {CODES.map((code) => (
              <option key={code} value={code}>
                {errorTable[code].status} {code}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="secondary">
          Filter
        </Button>
      </Form>
      <Form
        action="/usage"
        scroll={false}
        aria-label="Find a request"
        className="flex flex-wrap items-end gap-2 max-sm:w-full"
      >
        <HiddenSearch search={search} without={["before", "request"]} />
        <Field label="Request id" className="w-72 max-sm:grow">
          <Input
            type="search"
            name="request"
            mono
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            defaultValue={request}
            key={request}
          />
        </Field>
        <Button type="submit" variant="secondary">
          Find
        </Button>
      </Form>
    </div>
  )
}
