import type { Bytes } from "./backup-format"

/** A folder or a prefix of a bucket, in which backups are files. */
export interface BackupPlace {
  /** Returns the path or address of a file, for people. */
  nameOf(file: string): string
  /** Throws `BackupRefused` when the file exists. */
  refuseExisting(file: string): Promise<void>
  /**
   * Writes a new file, which appears complete or not at all. `check` reads it back. When it rejects, no file remains. Throws
   * `BackupRefused` when the file exists. `sizeHint` is a size in bytes that it will hardly exceed.
   */
  write(file: string, bytes: Bytes, check: (read: () => Bytes) => Promise<void>, sizeHint: number): Promise<void>
  /** Reads a file. Reading throws `BackupRefused` when there is none. */
  read(file: string): Bytes
  list(): Promise<{ file: string; changedAtMs: number }[]>
  remove(file: string): Promise<void>
  /** Creates the place if it is missing, and removes what killed processes left of files with matching names. */
  prepare(names: RegExp): Promise<void>
}

/** A file in a place, which may be missing. */
export interface BackupFile {
  place: BackupPlace
  file: string
}

export const nameOf = ({ place, file }: BackupFile): string => place.nameOf(file)
