import type { ActionFunctionArgs } from '@remix-run/node';
import { act } from '../../../http/screen.server.ts';
import { previewIntent, previewShape } from '../notice-preview.server.ts';
import { distributionChangeForm, distributionForm } from './distribution-form.ts';
import { tryDistribution, tryDistributionChange } from './distribution-review.server.ts';

/** The notice of a distribution under review, to one investor. */
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    new: previewIntent('distributions', distributionForm.safeExtend(previewShape), tryDistribution),
    change: previewIntent('distributions', distributionChangeForm.safeExtend(previewShape), tryDistributionChange),
  });
