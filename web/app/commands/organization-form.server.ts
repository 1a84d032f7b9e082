import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isImageType, NO_IMAGE } from '@tapeline/domain/files/images.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import {
  ENTITY_LISTS,
  IMAGES,
  imageField,
  problemField,
  REMOVED_IMAGE,
} from '../components/organizations/entity-form.ts';
import { act, type Intent, type Screen } from '../http/screen.server.ts';
import { storeFormFiles } from './form-files.server.ts';

/** Both images, and space for the fields of the form. */
const MAX_FORM_BYTES = 4 * 1024 * 1024;

const imageOf = (field: string) => IMAGES.find((image) => field === `${image}File`);

/** Stores the images of a form. A stored image replaces the key that the form has; a refused one leaves its reason. */
const storeImages = (screen: Screen): Promise<Request> =>
  storeFormFiles(screen, {
    maxBytes: MAX_FORM_BYTES,
    to({ field, type }) {
      if (!imageOf(field)) return null;
      if (!can(screen.actor, 'entities/write') || !isImageType(type)) throw new Refusal('badRequest', NO_IMAGE);
      return { bucket: 'publicFiles', type };
    },
    write(form, stored, refused) {
      const removed = form.getAll(REMOVED_IMAGE);
      form.delete(REMOVED_IMAGE);
      for (const image of IMAGES) {
        if (removed.includes(image)) form.delete(imageField(image));
        const key = stored.findLast(({ field }) => imageOf(field) === image)?.key;
        if (key !== undefined) form.set(imageField(image), key);
        const refusal = refused.findLast(({ field }) => imageOf(field) === image)?.refusal;
        if (refusal) {
          form.set(problemField(image), refusal.reason?.code === 'imageTooLarge' ? refusal.message : NO_IMAGE);
        }
      }
    },
  });

/** The action of a form with an entity, whose images are uploaded with it. */
export const actOnOrganization = (intents: Readonly<Record<string, Intent>>) =>
  act(intents, { lists: ENTITY_LISTS, files: { permission: null, store: storeImages } });
