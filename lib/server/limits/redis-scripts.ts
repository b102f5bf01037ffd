import type { Result } from "ioredis"

/**
 * Redis's clock decides the second, so processes whose clocks differ still share one window. `open` begins a window of this second,
 * which what is owed fills first, and returns what is still owed after it.
 */
const OPEN_WINDOW = `
local second = tonumber(redis.call('TIME')[1])
local function keep(window, owed, limit)
  redis.call('PEXPIRE', window, 2000 + 1000 * math.ceil(owed / limit))
end
local function open(window, limit)
  local last = redis.call('HMGET', window, 'second', 'owed')
  local was, owed = tonumber(last[1] or -1), tonumber(last[2] or 0)
  if was == second then return owed end
  owed = math.max(0, owed - math.max(0, second - was - 1) * limit)
  local used = math.min(owed, limit)
  redis.call('HSET', window, 'second', second, 'used', used, 'owed', owed - used)
  keep(window, owed - used, limit)
  return owed - used
end`

const COUNT_REQUEST = `${OPEN_WINDOW}
local keyLimit = tonumber(ARGV[1])
local keyOwed = open(KEYS[1], keyLimit)
local accountOwed = open(KEYS[2], tonumber(ARGV[2]))
local keyUsed = redis.call('HINCRBY', KEYS[1], 'used', 1)
local accountUsed
if keyUsed > keyLimit then accountUsed = tonumber(redis.call('HGET', KEYS[2], 'used'))
else accountUsed = redis.call('HINCRBY', KEYS[2], 'used', 1) end
return {keyUsed, accountUsed, keyOwed, accountOwed}`

const OWE_REQUESTS = `${OPEN_WINDOW}
local more = tonumber(ARGV[3])
local function owe(window, limit)
  local owed = open(window, limit)
  local used = tonumber(redis.call('HGET', window, 'used'))
  local fits = math.min(more, math.max(0, limit - used))
  owed = owed + more - fits
  redis.call('HSET', window, 'used', used + fits, 'owed', owed)
  keep(window, owed, limit)
  return used + fits, owed
end
local keyUsed, keyOwed = owe(KEYS[1], tonumber(ARGV[1]))
local accountUsed, accountOwed = owe(KEYS[2], tonumber(ARGV[2]))
return {keyUsed, accountUsed, keyOwed, accountOwed}`

const COUNT_ADDRESS = `${OPEN_WINDOW}
open(KEYS[1], 1)
return redis.call('HINCRBY', KEYS[1], 'used', 1)`

const RECORD_ALIVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`

/** The requests of the key's and the account's window, then what each is still owed. */
export type Used = [keyUsed: number, accountUsed: number, keyOwed: number, accountOwed: number]

declare module "ioredis" {
  interface RedisCommander<Context> {
    /** Counts a request in its key's window and, unless the key is then over `keyLimit`, in its account's. */
    countRequest(
      keyWindow: string,
      accountWindow: string,
      keyLimit: number,
      accountLimit: number,
    ): Result<Used, Context>
    /** Counts `more` requests in both windows and, where they do not fit, in the following ones. */
    oweRequests(
      keyWindow: string,
      accountWindow: string,
      keyLimit: number,
      accountLimit: number,
      more: number,
    ): Result<Used, Context>
    countAddress(window: string): Result<number, Context>
    /**
     * Records that an instance is alive, or nothing for an empty id. Returns how many instances recorded this in the last
     * `livingMs` milliseconds.
     */
    recordAlive(instances: string, id: string, livingMs: number): Result<number, Context>
  }
}

/** The Lua scripts, which ioredis adds to the client as commands of these names. */
export const SCRIPTS = {
  countRequest: { lua: COUNT_REQUEST, numberOfKeys: 2 },
  oweRequests: { lua: OWE_REQUESTS, numberOfKeys: 2 },
  countAddress: { lua: COUNT_ADDRESS, numberOfKeys: 1 },
  recordAlive: { lua: RECORD_ALIVE, numberOfKeys: 1 },
}
