import type { ActionFunctionArgs } from '@remix-run/node';
import { act } from '../../../http/screen.server.ts';
import { previewIntent, previewShape } from '../notice-preview.server.ts';
import { callChangeForm, callForm } from './call-form.ts';
import { tryCall, tryCallChange } from './call-review.server.ts';

/** The notice of a call under review, to one investor. */
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    new: previewIntent('contributions', callForm.safeExtend(previewShape), tryCall),
    change: previewIntent('contributions', callChangeForm.safeExtend(previewShape), tryCallChange),
  });
