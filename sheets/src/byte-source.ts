import { type FileHandle, open } from 'node:fs/promises';

/** Bytes with random access. */
export interface ByteSource {
  readonly size: number;
  /** The file, if its bytes are used unchanged: a separate thread may read it. */
  readonly fd?: number;
  /** Up to `length` bytes at `position`; fewer at the end. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openFile(path: string): Promise<ByteSource> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return {
      size,
      fd: file.fd,
      read: (position, length) => readBytes(file, position, length),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
