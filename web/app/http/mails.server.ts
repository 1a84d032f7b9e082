import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export interface MailHead {
  /** The file name without the folder. Safe to use in an address. */
  id: string;
  at: string;
  to: string;
}

const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(?:\.\d+)?Z?)-(.+)\.eml$/;

function headOf(id: string): MailHead | null {
  const match = NAME.exec(id);
  const [stamp, to] = [match?.[1], match?.[2]];
  if (!stamp || !to) return null;
  const [day, time = ''] = stamp.split('T');
  const at = new Date(`${day}T${time.replace('-', ':').replace('-', ':').replace(/Z?$/, 'Z')}`);
  return Number.isNaN(at.getTime()) ? null : { id, at: at.toISOString(), to };
}

/** A mail of the list. */
export interface ListedMail extends MailHead {
  subject: string;
}

/** Lists the mails of a folder, newest first. A missing folder is treated as empty. */
export async function listMails(folder: string, limit = 100): Promise<ListedMail[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[];
    throw error;
  });
  const heads = names.map(headOf).filter((head) => head !== null);
  const listed = heads.sort((a, b) => b.id.localeCompare(a.id)).slice(0, limit);
  return Promise.all(listed.map(async (head) => ({ ...head, subject: await subjectOf(join(folder, head.id)) })));
}

/** The subject of a mail; empty if it was deleted meanwhile. */
async function subjectOf(path: string): Promise<string> {
  const content = await readFile(path).catch(() => null);
  return content ? ((await PostalMime.parse(content)).subject ?? '') : '';
}

export interface OpenMail extends MailHead {
  from: string;
  subject: string;
  text: string;
}

/**
 * Returns one mail as text. Null if the folder has no mail with that name. Only names that the folder lists are ever
 * opened.
 */
export async function readMail(folder: string, id: string): Promise<OpenMail | null> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const head = names.includes(id) ? headOf(id) : null;
  if (!head) return null;
  const mail = await PostalMime.parse(await readFile(join(folder, id)));
  return { ...head, from: mail.from?.address ?? '', subject: mail.subject ?? '', text: mail.text ?? '' };
}
