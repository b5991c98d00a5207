const wanted =
  /^(npm_config_(cache|userconfig|globalconfig|cafile|registry)|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;

/** Packages come from where the user's npm gets them, by the certificates and the proxy that it needs. */
export function npmVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && wanted.test(name) ? [[name, value]] : [],
    ),
  );
}
