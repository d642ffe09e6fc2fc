//! IndexedDB. What it calls back are the functions that settle a promise, and no closures of ours: a future that waits for
//! it may be dropped at any moment.

use std::cell::RefCell;

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DomException, IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
    IdbTransactionMode,
};

use super::{Exception, property, scope};

/// A database. It is opened again where the browser or another tab closed it.
pub struct Database {
    name: &'static str,
    tables: &'static [&'static str],
    connection: RefCell<Option<IdbDatabase>>,
}

impl Database {
    /// Opens a database of any version, and adds the tables that it lacks.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn open(name: &'static str, tables: &'static [&'static str]) -> Result<Database, Exception> {
        let database = Database { name, tables, connection: RefCell::default() };
        database.connect().await?;
        Ok(database)
    }

    async fn connect(&self) -> Result<IdbDatabase, Exception> {
        let mut version = None;
        loop {
            let connection = self.request(version).await?;
            // Another tab that needs a newer version would wait for this one.
            if let Ok(close) = property(&connection, "close").dyn_into::<Function>() {
                connection.set_onversionchange(Some(&close.bind0(&connection)));
            }
            let has_all = self.tables.iter().all(|table| connection.object_store_names().contains(table));
            if has_all || version.is_some() {
                self.connection.replace(Some(connection.clone()));
                return Ok(connection);
            }
            version = Some(connection.version() + 1.0);
            connection.close();
        }
    }

    async fn request(&self, version: Option<f64>) -> Result<IdbDatabase, Exception> {
        let none = || Exception { name: String::new(), message: "no IndexedDB".into() };
        let factory = scope().indexed_db()?.ok_or_else(none)?;
        let request: IdbOpenDbRequest = match version {
            Some(version) => factory.open_with_f64(self.name, version)?,
            None => factory.open(self.name)?,
        };
        let (opened, tables) = (request.clone(), self.tables);
        let upgrade = Closure::once_into_js(move || {
            let result = opened.result().ok().and_then(|result| result.dyn_into::<IdbDatabase>().ok());
            for (database, table) in
                result.iter().flat_map(|database| tables.iter().map(move |t| (database, t)))
            {
                // It fails for those that are there.
                let _ = database.create_object_store(table);
            }
        });
        request.set_onupgradeneeded(Some(upgrade.unchecked_ref()));
        answer(&request).await?.dyn_into().map_err(Exception::from)
    }

    fn begin(
        connection: &IdbDatabase,
        table: &str,
        mode: IdbTransactionMode,
    ) -> Result<(IdbTransaction, IdbObjectStore), Exception> {
        let transaction = connection.transaction_with_str_and_mode(table, mode)?;
        let store = transaction.object_store(table)?;
        Ok((transaction, store))
    }

    async fn transaction(
        &self,
        table: &str,
        mode: IdbTransactionMode,
    ) -> Result<(IdbTransaction, IdbObjectStore), Exception> {
        let connection = self.connection.borrow().clone();
        if let Some(begun) = connection.and_then(|known| Self::begin(&known, table, mode).ok()) {
            return Ok(begun);
        }
        Self::begin(&self.connect().await?, table, mode)
    }

    /// What one request reads.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn read(
        &self,
        table: &str,
        ask: impl FnOnce(&IdbObjectStore) -> Result<IdbRequest, JsValue>,
    ) -> Result<JsValue, Exception> {
        let (_, store) = self.transaction(table, IdbTransactionMode::Readonly).await?;
        answer(&ask(&store)?).await
    }

    /// What one request changes. It is in the database when this ends.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn write(
        &self,
        table: &str,
        ask: impl FnOnce(&IdbObjectStore) -> Result<IdbRequest, JsValue>,
    ) -> Result<(), Exception> {
        let (transaction, store) = self.transaction(table, IdbTransactionMode::Readwrite).await?;
        let done = completion(&transaction);
        ask(&store)?;
        done.await.map(drop).map_err(|_| reason(transaction.error()))
    }

    /// Reads a value and writes what `change` makes of it, if anything, in one transaction. It is in the database when
    /// this ends.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn update(
        &self,
        table: &str,
        key: &JsValue,
        change: impl FnOnce(JsValue) -> Option<JsValue>,
    ) -> Result<(), Exception> {
        let (transaction, store) = self.transaction(table, IdbTransactionMode::Readwrite).await?;
        let done = completion(&transaction);
        let value = answer(&store.get(key)?).await?;
        if let Some(changed) = change(value) {
            store.put_with_key(&changed, key)?;
        }
        done.await.map(drop).map_err(|_| reason(transaction.error()))
    }
}

/// What a request gives.
async fn answer(request: &IdbRequest) -> Result<JsValue, Exception> {
    let settled = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
        if let Some(request) = request.dyn_ref::<IdbOpenDbRequest>() {
            request.set_onblocked(Some(&reject));
        }
    });
    match JsFuture::from(settled).await {
        Ok(_) => Ok(request.result()?),
        Err(_) => Err(reason(request.error()?)),
    }
}

/// Ends when what a transaction has written is in the database.
fn completion(transaction: &IdbTransaction) -> JsFuture {
    JsFuture::from(Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    }))
}

fn reason(error: Option<DomException>) -> Exception {
    let unknown = || Exception { name: "AbortError".into(), message: "the browser took it back".into() };
    error.map_or_else(unknown, |error| Exception::from(JsValue::from(error)))
}
