import path from "node:path"
import type { Env } from "@/lib/server/platform/env"
import type { BackupFile, BackupPlace } from "./backup-place"
import { FolderPlace } from "./folder-place"
import { S3Place } from "./s3-place"

const isS3 = (address: string): boolean => address.startsWith("s3://")

/** Returns the place at a path or at `s3://BUCKET/PREFIX`. */
export const openPlace = (env: Env, address: string): BackupPlace =>
  isS3(address) ? new S3Place(env, address) : new FolderPlace(path.resolve(address))

/** Returns the file at a path or at `s3://BUCKET/KEY`. */
export function openFile(env: Env, address: string): BackupFile {
  if (!isS3(address)) {
    const whole = path.resolve(address)
    return { place: new FolderPlace(path.dirname(whole)), file: path.basename(whole) }
  }
  const slash = address.lastIndexOf("/")
  return { place: new S3Place(env, address.slice(0, slash)), file: address.slice(slash + 1) }
}

/** Returns where scheduled backups go: `BACKUP_URL`, `BACKUP_DIR`, or a folder in `DATA_DIR`. */
export const scheduledAddress = (env: Env): string =>
  env.BACKUP_URL ?? path.resolve(env.BACKUP_DIR ?? path.join(env.DATA_DIR, "backups"))
