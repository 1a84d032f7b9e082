import { errorAnswer } from '../../http/errors.server.ts';
import { readScreen } from '../../http/screen.server.ts';

export const handle = { title: 'Page not found' };

/** Handles every address that no other route matches. */
export const loader = readScreen(null, ({ context }): null => {
  throw errorAnswer(context, 'notFound', 'No page exists at this address.');
});

export default function NotFound() {
  return null;
}
