// Caches the app when it is installed, and answers from the cache first. The build fills in the version and the files.
const NAME = "app-VERSION";
const FILES = [];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

// A new version waits until the tabs of the old one are closed.
self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name !== NAME));
  event.waitUntil(
    old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

// Models are not in this cache: they go to the network, and Pith keeps them in its own store.
self.addEventListener("fetch", (event) => {
  const cached = caches.open(NAME).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(cached.then((hit) => hit ?? fetch(event.request)));
});
