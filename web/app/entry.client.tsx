import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { pageNonce } from './components/page-nonce.ts';

/** The name under which bundled libraries look for the nonce of their style elements, such as that of a dialog. */
Object.assign(globalThis, { __webpack_nonce__: pageNonce });

/**
 * Events that make React 18 hydrate at once. Remix suspends the root until the page's data is decoded, and a suspended
 * root that has to hydrate at once fails for good (React error 345): the page would never respond. Until the data is
 * decoded, the browser handles these events alone, as without JavaScript. A submit still reaches the listener that
 * prevents a form from being sent twice.
 */
const EVENTS_THAT_HYDRATE = [
  ...['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'dragstart', 'dragend', 'drop'],
  ...['pointerdown', 'pointerup', 'pointercancel', 'touchstart', 'touchend', 'touchcancel'],
  ...['keydown', 'keypress', 'keyup', 'input', 'textInput', 'change', 'reset'],
  ...['compositionstart', 'compositionend', 'copy', 'cut', 'paste'],
];

function keepFromSuspendedRoot(event: Event): void {
  if (window.__remixContext.state) stopKeeping();
  else event.stopPropagation();
}

function stopKeeping(): void {
  for (const name of EVENTS_THAT_HYDRATE) window.removeEventListener(name, keepFromSuspendedRoot, true);
}

/**
 * A navigation that replaces another one aborts its request. If the data had already arrived and the answer had not yet
 * ended, turbo-stream 2.4 leaves promises of its end that nothing handles. What was aborted on purpose is no error.
 */
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});

for (const name of EVENTS_THAT_HYDRATE) window.addEventListener(name, keepFromSuspendedRoot, true);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
