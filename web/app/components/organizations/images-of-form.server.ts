import type { ActionFunctionArgs } from '@remix-run/node';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { isImageType, NO_IMAGE } from '@tapeline/domain/files/images.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { receiveFormFile } from '@tapeline/lake/storage/receive-form-file.ts';
import { CSRF_FIELD, csrfTokenOf, readForm } from '../../http/csrf.server.ts';
import { SENT_CONTENT } from '../../http/form-key.ts';
import { act, type Intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { contentOfForm } from '../../http/sent-once.server.ts';
import { ENTITY_LISTS, IMAGES, imageField, problemField, REMOVED_IMAGE } from './entity-form.ts';

/** Both images, and space for the fields of the form. */
const MAX_FORM_BYTES = 4 * 1024 * 1024;

/**
 * Converts the form of an organization to the same form without files. An uploaded image is stored and its key replaces
 * the one that the form has; a refused one leaves its reason.
 */
async function storeImages({ request, context, actor }: Screen): Promise<Request> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) return request;
  const keys = new Map<string, string>();
  const problems = new Map<string, string>();
  const files: (string | null)[][] = [];
  const form = await readForm(request, context, {
    maxBytes: MAX_FORM_BYTES,
    async onFile({ field, name, type, data }) {
      const image = IMAGES.find((one) => field === `${one}File`);
      if (!image || !can(actor, 'entities/write') || !isImageType(type)) {
        for await (const _ of data);
        if (image) problems.set(image, NO_IMAGE);
        return;
      }
      try {
        const file = { bucket: 'publicFiles', name, type, data } as const;
        const { key, checksum } = await receiveFormFile(context.store, context.objects, actor, file);
        keys.set(image, key);
        files.push([field, name, checksum ?? null]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        problems.set(image, error.reason?.code === 'imageTooLarge' ? error.message : NO_IMAGE);
      }
    },
  });
  // The CSRF token was already checked. The new form gets the cookie's token, so that it is read like any other form.
  const kept = new URLSearchParams({
    [CSRF_FIELD]: await csrfTokenOf(request, context),
    [SENT_CONTENT]: contentOfForm(form, files),
  });
  for (const [name, value] of form.entries()) kept.append(name, String(value));
  for (const image of kept.getAll(REMOVED_IMAGE)) {
    if (IMAGES.some((one) => one === image)) kept.delete(imageField(image as (typeof IMAGES)[number]));
  }
  kept.delete(REMOVED_IMAGE);
  for (const image of IMAGES) {
    const key = keys.get(image);
    if (key !== undefined) kept.set(imageField(image), key);
    const problem = problems.get(image);
    if (problem !== undefined) kept.set(problemField(image), problem);
  }
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: kept });
}

/** The action of a form with an entity, whose images are uploaded with it. */
export async function actOnOrganization(args: ActionFunctionArgs, intents: Readonly<Record<string, Intent>>) {
  const request = await readScreen(args, null, storeImages);
  return act({ ...args, request }, intents, { lists: ENTITY_LISTS });
}
