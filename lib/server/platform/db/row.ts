import type { Prisma } from "@/prisma/client/client"

type Models = Prisma.TypeMap["model"]
type Fields<Model extends keyof Models> = Models[Model]["payload"]["scalars"]

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name

/** What `pg` returns for a field: 64-bit integers as text, bytes as a `Buffer`. */
type Read<Value> = Value extends bigint
  ? string
  : Value extends bigint[]
    ? string[]
    : Value extends Uint8Array
      ? Buffer
      : Value

/**
 * Columns of a model of `prisma/schema.prisma` as `pg` returns them: `Row<"ApiKey", "id" | "limit_pico">`. Join models with `&`.
 * SQL that reads a column which the schema does not have, or of another type, does not compile. What SQL computes is added beside
 * it, and so is a type that a CHECK narrows: `Row<"Member", "user_id"> & { role: Role; keys: number }`.
 */
export type Row<Model extends keyof Models, Column extends Snake<keyof Fields<Model> & string>> = {
  [Name in keyof Fields<Model> & string as Snake<Name> & Column]: Read<Fields<Model>[Name]>
}

/** Columns that a condition of the statement keeps from being null. */
export type Present<Columns> = { [Name in keyof Columns]: NonNullable<Columns[Name]> }

/** Columns of a LEFT JOIN, which are null where it finds no row. */
export type Nullable<Columns> = { [Name in keyof Columns]: Columns[Name] | null }
