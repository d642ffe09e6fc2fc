// Creates sessions as a page does: after a click.

globalThis.open = async (api, options = {}) => {
  await test_driver.bless();
  return api.create(options);
};
