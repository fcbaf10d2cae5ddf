// What can be measured of a page: where its elements lie, what sticks out, which images are missing, where links lead.
(ignored) => {
  const MOST = 2000;
  const path = (element) => {
    const parts = [];
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      if (at.id) { parts.unshift('#' + CSS.escape(at.id)); break; }
      const alike = at.parentElement ? [...at.parentElement.children].filter((other) => other.tagName === at.tagName) : [];
      const nth = alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : '';
      parts.unshift(at.tagName.toLowerCase() + nth);
    }
    return parts.join('>').slice(0, 300);
  };
  const own = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent.trim()).join(' ').trim().slice(0, 80);
  const rect = (element) => {
    const r = element.getBoundingClientRect();
    return { x: Math.round(r.x + scrollX), y: Math.round(r.y + scrollY), width: Math.round(r.width), height: Math.round(r.height) };
  };
  const shown = (element) => {
    const style = getComputedStyle(element);
    return style.visibility !== 'hidden' && style.display !== 'none' && Number(style.opacity) > 0;
  };
  const matching = ignored.flatMap((selector) => {
    try { return [...document.querySelectorAll(selector)]; } catch { return []; }
  });
  const within = (element) => matching.some((other) => other.contains(element));
  const elements = document.body ? [...document.body.querySelectorAll('*')].filter(shown) : [];
  const boxes = elements.filter((element) => !within(element) && !element.closest('svg svg, svg *'))
    .map((element) => ({ where: path(element), ...rect(element), text: own(element) }))
    .filter((box) => box.width > 0 && box.height > 0).slice(0, MOST);
  const page = document.documentElement;
  const wide = page.scrollWidth > page.clientWidth;
  const sticking = wide ? elements.filter((element) => element.getBoundingClientRect().right + scrollX > page.clientWidth + 1) : [];
  const outermost = sticking.filter((element) => !sticking.some((other) => other !== element && other.contains(element)));
  const media = 'img,svg,canvas,video,iframe,input,button,select,textarea,object,embed';
  const links = [...document.querySelectorAll('a[href]')].map((link) => link.href.split('#')[0])
    .filter((href) => href.startsWith(location.origin + '/') && href !== location.href.split('#')[0]);
  return {
    boxes,
    overflow: wide ? (outermost.length ? outermost.map(path) : ['body']).slice(0, 20) : [],
    images: [...document.images].filter((image) => shown(image) && image.complete && image.naturalWidth === 0)
      .map((image) => `${path(image)} (${(image.getAttribute('src') || '').slice(0, 200)})`),
    is_blank: !document.body || (!document.body.innerText.trim() && !elements.some((element) => element.matches(media))),
    ignored: matching.map(rect),
    links: [...new Set(links)].slice(0, 500),
  };
}
