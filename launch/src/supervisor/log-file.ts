import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

/** A log that exceeds this is replaced by a new one. The one before it is kept as `<name>.log.1`. */
const LARGEST_LOG_BYTES = 20 * 1024 * 1024;

/** A log of one child, of which at most twice the limit is kept, however long the child runs. */
export function openLogFile(file: string, largestBytes = LARGEST_LOG_BYTES) {
  mkdirSync(dirname(file), { recursive: true });
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const open = (): WriteStream => {
    const opened = createWriteStream(file, { flags: 'a' });
    // A full disk must not crash the supervisor.
    opened.on('error', () => {});
    return opened;
  };
  const startOver = () => {
    size = 0;
    try {
      renameSync(file, `${file}.1`);
    } catch {
      // The next line that exceeds the limit tries again.
    }
  };
  if (size > largestBytes) startOver();
  let log = open();
  return {
    write(line: string): void {
      log.write(`${line}\n`);
      size += Buffer.byteLength(line) + 1;
      if (size <= largestBytes) return;
      // Lines that are still to be written go to the file that was opened for them, under its new name.
      log.end();
      startOver();
      log = open();
    },
    end: (): void => void log.end(),
  };
}
