// Old releases of Node must be able to read this file, so it has no import and only plain syntax.
const NODE = [20, 19]
/** With fewer, even the files of the program cannot be read. */
const MIN_DESCRIPTORS = 512

/** Returns why the service cannot run on this machine, as one line. Null when it can. */
function findObstacle() {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major < NODE[0] || (major === NODE[0] && minor < NODE[1]))
    return `Node ${NODE.join(".")} or later is required. This is Node ${process.versions.node}`
  process.report.excludeNetwork = true
  const { soft } = process.report.getReport().userLimits.open_files
  if (Number(soft) < MIN_DESCRIPTORS)
    return `The limit of open files is ${soft}. Raise it to ${MIN_DESCRIPTORS} or more, with "ulimit -n" or with LimitNOFILE of systemd`
  return null
}

const obstacle = findObstacle()
if (obstacle !== null) {
  process.stderr.write(`Could not start: ${obstacle}\n`)
  process.exit(1)
}
