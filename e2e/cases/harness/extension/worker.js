console.error('worker complains')
