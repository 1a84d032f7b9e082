import { Outlet } from '@remix-run/react';

/** Every signed-in screen. One that fails is replaced by what went wrong, within the frame. */
export default Outlet;

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
