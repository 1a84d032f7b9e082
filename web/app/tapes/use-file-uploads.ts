import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { typeOfFile } from './upload-form.schema.ts';

/** One file of the upload form, on its way or there. */
export interface UploadEntry {
  readonly id: number;
  readonly name: string;
  /** Bytes; null for a file that an earlier round trip brought. */
  readonly size: number | null;
  /** Refused: with the server's reason. Interrupted: the same file may well arrive when it is tried again. */
  readonly state: 'waiting' | 'uploading' | 'stored' | 'refused' | 'interrupted';
  /** 0 to 1. */
  readonly fraction: number;
  readonly key: string | null;
  readonly fault: string | null;
}

interface Held extends UploadEntry {
  readonly file: File | null;
}

/** Path of the addresses that our own store signs: reached by the host that the page came from, whatever the host is called. */
const OWN_STORE = '/files/objects/';
const INTERRUPTED = 'The upload was interrupted';

/** The server's own reason not to take a file. */
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

/** A PUT that tells how far it is, which fetch cannot. */
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
        // An answer of a store that is not ours is XML.
      }
      reject(refusalOf(reason));
    };
    call.send(file);
  });
}

/**
 * Files of a form, uploaded as soon as they are chosen. `renew` uploads again what the server has forgotten, after it refused the form.
 * @param input where files are chosen; those that were chosen before the scripts had come are taken at once
 * @param kept files that an earlier round trip has stored
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
      fault: null,
      file: null,
    })),
  );
  const next = useRef(kept.length);
  const change = useCallback((id: number, changes: Partial<Held>) => {
    setEntries((before) => before.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  }, []);

  const upload = useCallback(
    async (id: number, file: File) => {
      change(id, { state: 'uploading', fraction: 0, fault: null });
      try {
        const type = typeOfFile(file.name, file.type);
        const { key, signedUrl } = await sign(file, type, csrfToken);
        await put(addressOf(signedUrl), file, type, (fraction) => change(id, { fraction }));
        change(id, { state: 'stored', fraction: 1, key });
      } catch (error) {
        const isRefused = error instanceof NotTaken;
        const fault = isRefused ? error.message : INTERRUPTED;
        change(id, { state: isRefused ? 'refused' : 'interrupted', key: null, fault });
      }
    },
    [change, csrfToken],
  );

  // One at a time: a line that is shared by ten files is no faster, and the first one is there sooner.
  const isBusy = entries.some(({ state }) => state === 'uploading');
  const waiting = isBusy ? undefined : entries.find(({ state, file }) => state === 'waiting' && file);
  useEffect(() => {
    if (waiting?.file) void upload(waiting.id, waiting.file);
  }, [waiting, upload]);

  const add = useCallback((files: Iterable<File>) => {
    const made = [...files].map((file): Held => {
      next.current += 1;
      const { name, size } = file;
      return { id: next.current, name, size, state: 'waiting', fraction: 0, key: null, fault: null, file };
    });
    setEntries((before) => [...before, ...made]);
  }, []);

  const isEarly = useRef(true);
  useEffect(() => {
    const field = input.current;
    if (!isEarly.current || !field) return;
    isEarly.current = false;
    add(field.files ?? []);
    // Several stand in a list of their own: the same file can be picked again after it was taken off.
    if (field.multiple) field.value = '';
  }, [input, add]);

  return {
    entries: entries as readonly UploadEntry[],
    isPending: entries.some(({ state }) => state === 'waiting' || state === 'uploading'),
    add,
    again: (id: number) => change(id, { state: 'waiting', fraction: 0, fault: null }),
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
