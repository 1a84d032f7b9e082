import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** One file of the upload form, uploading or uploaded. */
export interface UploadEntry {
  readonly id: number;
  readonly name: string;
  /** Bytes. Null for a file from an earlier round trip. */
  readonly size: number | null;
  /** "refused" is final, with the server's reason. "interrupted" can be retried with the same file. */
  readonly state: 'waiting' | 'uploading' | 'stored' | 'refused' | 'interrupted';
  /** 0 to 1. */
  readonly fraction: number;
  readonly key: string | null;
  readonly problem: string | null;
}

interface Held extends UploadEntry {
  readonly file: File | null;
}

/**
 * Path of the upload addresses that our own store signs. They are requested from the host that served the page,
 * whatever its name.
 */
const OWN_STORE = '/files/objects/';
const INTERRUPTED = 'The upload was interrupted';

/** The server refused a file. The message is the server's reason. */
class NotTaken extends Error {}

function addressOf(signedUrl: string): string {
  const url = new URL(signedUrl, window.location.href);
  return url.pathname.startsWith(OWN_STORE) ? url.pathname + url.search : url.href;
}

const refusalOf = (reason: unknown): Error =>
  typeof reason === 'string' ? new NotTaken(reason) : new Error(INTERRUPTED);

async function sign(file: File, type: string, csrfToken: string): Promise<{ key: string; signedUrl: string }> {
  const answer = await fetch('/files/signedUrls/loanTapes?operation=upload', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify({ filesInfo: [{ name: file.name, size: file.size, type }] }),
  });
  const body = await answer.json();
  if (!answer.ok) throw refusalOf(Object.values<unknown>(body.flags ?? {})[0] ?? body.message);
  const [signed] = body as { error?: string; fileMetadata?: { key: string; signedUrl: string } }[];
  if (!signed?.fileMetadata) throw refusalOf(signed?.error);
  return signed.fileMetadata;
}

/** A PUT that reports its progress, which fetch cannot do. */
function put(address: string, file: File, type: string, onProgress: (fraction: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('PUT', address);
    call.setRequestHeader('content-type', type);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    call.onerror = () => reject(new Error(INTERRUPTED));
    call.onload = () => {
      if (call.status < 300) return resolve();
      let reason: unknown;
      try {
        reason = JSON.parse(call.responseText).message;
      } catch {
        // A third-party store answers in XML.
      }
      reject(refusalOf(reason));
    };
    call.send(file);
  });
}

/**
 * Files of a form, uploaded as soon as they are selected. `renew` uploads again what the server has deleted after it
 * refused the form.
 * @param input the file input; files selected before the scripts loaded are uploaded at once
 * @param kept files stored by an earlier round trip
 */
export function useFileUploads(
  csrfToken: string,
  input: RefObject<HTMLInputElement>,
  kept: readonly { key: string; name: string }[],
) {
  const [entries, setEntries] = useState<readonly Held[]>(() =>
    kept.map(({ key, name }, id) => ({
      id,
      name,
      key,
      size: null,
      state: 'stored',
      fraction: 1,
      problem: null,
      file: null,
    })),
  );
  const next = useRef(kept.length);
  const change = useCallback((id: number, changes: Partial<Held>) => {
    setEntries((before) => before.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  }, []);

  const upload = useCallback(
    async (id: number, file: File) => {
      change(id, { state: 'uploading', fraction: 0, problem: null });
      try {
        const type = typeOfFile(file.name, file.type);
        const { key, signedUrl } = await sign(file, type, csrfToken);
        await put(addressOf(signedUrl), file, type, (fraction) => change(id, { fraction }));
        change(id, { state: 'stored', fraction: 1, key });
      } catch (error) {
        const isRefused = error instanceof NotTaken;
        const problem = isRefused ? error.message : INTERRUPTED;
        change(id, { state: isRefused ? 'refused' : 'interrupted', key: null, problem });
      }
    },
    [change, csrfToken],
  );

  // Upload one file at a time. Sharing the connection between ten files is no faster, and this way the first one is
  // finished sooner.
  const isBusy = entries.some(({ state }) => state === 'uploading');
  const waiting = isBusy ? undefined : entries.find(({ state, file }) => state === 'waiting' && file);
  useEffect(() => {
    if (waiting?.file) void upload(waiting.id, waiting.file);
  }, [waiting, upload]);

  const add = useCallback((files: Iterable<File>) => {
    const made = [...files].map((file): Held => {
      next.current += 1;
      const { name, size } = file;
      return { id: next.current, name, size, state: 'waiting', fraction: 0, key: null, problem: null, file };
    });
    setEntries((before) => [...before, ...made]);
  }, []);

  const isEarly = useRef(true);
  useEffect(() => {
    const field = input.current;
    if (!isEarly.current || !field) return;
    isEarly.current = false;
    add(field.files ?? []);
    // Multiple files have a list of their own. Clearing the input allows the same file to be selected again after it
    // was removed.
    if (field.multiple) field.value = '';
  }, [input, add]);

  return {
    entries: entries as readonly UploadEntry[],
    isPending: entries.some(({ state }) => state === 'waiting' || state === 'uploading'),
    add,
    again: (id: number) => change(id, { state: 'waiting', fraction: 0, problem: null }),
    remove: (id: number) => setEntries((before) => before.filter((entry) => entry.id !== id)),
    renew: useCallback(() => {
      setEntries((before) =>
        before.flatMap((entry): Held[] =>
          entry.file
            ? [{ ...entry, state: entry.state === 'refused' ? 'refused' : 'waiting', key: null, fraction: 0 }]
            : [],
        ),
      );
    }, []),
  };
}
