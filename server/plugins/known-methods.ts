/** Which methods an address knows, for 405. Only asked when no route was found, so no route pays for it. */
import type { App } from '../app.ts';

/** Gives a function from a request's URL to the methods that its path has; it knows the routes added from now on. */
export const createMethodTable = (app: App): ((url: string) => string[]) => {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const known = methods.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) known.add(method);
    methods.set(route.url, known);
  });
  return (url) => {
    const segments = segmentsOf(url);
    const pattern = [...methods.keys()].find((candidate) => matches(segmentsOf(candidate), segments));
    return pattern === undefined ? [] : [...(methods.get(pattern) ?? [])].sort();
  };
};

/** As the router sees it: no query, no empty segments, no slash at the end. */
const segmentsOf = (url: string): string[] => (url.split('?')[0] ?? '').split('/').filter((segment) => segment !== '');

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part.startsWith(':') || part === segments[index]);
