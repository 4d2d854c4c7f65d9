/** Rules `perm/*`: undeclared, wildcard, unused. Being written by helper H, with `tool-package/source/` behind it. */
export {};
